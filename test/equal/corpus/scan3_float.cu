// CHECK loops.c:prefix_sums_float --permit reassociate
#define B 256
__global__ void scan_blocks(const float *x, float *y, float *sums, int n) {
    __shared__ float s[B];
    int t = threadIdx.x, i = blockIdx.x * B + t;
    s[t] = i < n ? x[i] : 0;
    __syncthreads();
    for (int o = 1; o < B; o *= 2) {
        float v = t >= o ? s[t - o] : 0;
        __syncthreads();
        s[t] += v;
        __syncthreads();
    }
    if (i < n) y[i] = s[t];
    if (t == B - 1) sums[blockIdx.x] = s[t];
}
__global__ void scan_sums(float *sums, int nb) {
    if (threadIdx.x == 0) {
        float s = 0;
        for (int b = 0; b < nb; b++) { s += sums[b]; sums[b] = s; }
    }
}
__global__ void add_sums(float *y, const float *sums, int n) {
    int i = blockIdx.x * B + threadIdx.x;
    if (i < n && blockIdx.x > 0) y[i] += sums[blockIdx.x - 1];
}
void scan(int n, const float *x, float *y) {
    int nb = (n + B - 1) / B;
    float *sums;
    cudaMalloc(&sums, nb * sizeof(float));
    scan_blocks<<<nb, B>>>(x, y, sums, n);
    scan_sums<<<1, 32>>>(sums, nb);
    add_sums<<<nb, B>>>(y, sums, n);
    cudaFree(sums);
}
