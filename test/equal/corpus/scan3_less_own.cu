// CHECK loops.c:prefix_before
#define B 128
__global__ void block_sums(const int *x, int *sums, int n) {
    __shared__ int s[B];
    int t = threadIdx.x, i = blockIdx.x * B + t;
    s[t] = i < n ? x[i] : 0;
    __syncthreads();
    for (int o = B / 2; o > 0; o >>= 1) {
        if (t < o) s[t] += s[t + o];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = s[0];
}
__global__ void scan_sums(int *sums, int nb) {
    int s = 0;
    for (int b = 0; b < nb; b++) { int v = sums[b]; sums[b] = s; s += v; }
}
__global__ void scan_add(const int *x, int *y, const int *sums, int n) {
    __shared__ int s[B];
    int t = threadIdx.x, i = blockIdx.x * B + t;
    int own = i < n ? x[i] : 0;
    s[t] = own;
    __syncthreads();
    for (int o = 1; o < B; o *= 2) {
        int v = t >= o ? s[t - o] : 0;
        __syncthreads();
        s[t] += v;
        __syncthreads();
    }
    if (i < n) y[i] = sums[blockIdx.x] + s[t] - own;
}
void scan(int n, const int *x, int *y) {
    int nb = (n + B - 1) / B;
    int *sums;
    cudaMalloc(&sums, nb * sizeof(int));
    block_sums<<<nb, B>>>(x, sums, n);
    scan_sums<<<1, 1>>>(sums, nb);
    scan_add<<<nb, B>>>(x, y, sums, n);
    cudaFree(sums);
}
