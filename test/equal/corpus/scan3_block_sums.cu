// CHECK loops.c:prefix_sums --where "n <= 65536"
#define B 256
__device__ void block_scan(int *s, int t) {
    for (int o = 1; o < B; o <<= 1) {
        int v = 0;
        if (t >= o) v = s[t - o];
        __syncthreads();
        if (t >= o) s[t] += v;
        __syncthreads();
    }
}
__global__ void scan_blocks(const int *x, int *y, int *sums, int n) {
    __shared__ int s[B];
    int t = threadIdx.x, i = blockIdx.x * B + t;
    s[t] = i < n ? x[i] : 0;
    __syncthreads();
    block_scan(s, t);
    if (i < n) y[i] = s[t];
    if (t == B - 1) sums[blockIdx.x] = s[t];
}
__global__ void scan_sums(int *sums, int nb) {
    __shared__ int s[B];
    int t = threadIdx.x;
    s[t] = t < nb ? sums[t] : 0;
    __syncthreads();
    block_scan(s, t);
    if (t < nb) sums[t] = s[t];
}
__global__ void add_sums(int *y, const int *sums, int n) {
    int i = blockIdx.x * B + threadIdx.x;
    if (blockIdx.x == 0) return;
    if (i < n) y[i] += sums[blockIdx.x - 1];
}
void scan(int n, const int *x, int *y) {
    int nb = (n + B - 1) / B;
    int *sums;
    cudaMalloc(&sums, nb * sizeof(int));
    scan_blocks<<<nb, B>>>(x, y, sums, n);
    scan_sums<<<1, B>>>(sums, nb);
    add_sums<<<nb, B>>>(y, sums, n);
    cudaFree(sums);
}
