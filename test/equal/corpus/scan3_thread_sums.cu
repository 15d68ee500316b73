// CHECK loops.c:prefix_sums
#define B 256
__global__ void scan_blocks(const int *x, int *y, int *sums, int n) {
    __shared__ int s[B];
    int t = threadIdx.x, i = blockIdx.x * B + t;
    s[t] = i < n ? x[i] : 0;
    __syncthreads();
    for (int o = 1; o < B; o *= 2) {
        int v = t >= o ? s[t - o] : 0;
        __syncthreads();
        s[t] += v;
        __syncthreads();
    }
    if (i < n) y[i] = s[t];
    if (t == B - 1) sums[blockIdx.x] = s[t];
}
__global__ void scan_sums(int *sums, int nb) {
    if (threadIdx.x == 0) {
        int s = 0;
        for (int b = 0; b < nb; b++) { s += sums[b]; sums[b] = s; }
    }
}
__global__ void add_sums(int *y, const int *sums, int n) {
    int i = blockIdx.x * B + threadIdx.x;
    if (i < n && blockIdx.x > 0) y[i] += sums[blockIdx.x - 1];
}
void scan(int n, const int *x, int *y) {
    int nb = (n + B - 1) / B;
    int *sums;
    cudaMalloc(&sums, nb * sizeof(int));
    scan_blocks<<<nb, B>>>(x, y, sums, n);
    scan_sums<<<1, 32>>>(sums, nb);
    add_sums<<<nb, B>>>(y, sums, n);
    cudaFree(sums);
}
