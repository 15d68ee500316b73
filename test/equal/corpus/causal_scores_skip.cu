// CHECK loops.c:causal_scores --grid "(n+15)/16,(n+15)/16" --block 16,16 --kernel causal_scores
#define T 16
__global__ void causal_scores(const float *q, const float *k, float *s, int n, int d, float scale) {
    __shared__ float qs[T][T + 1], ks[T][T + 1];
    int i = blockIdx.y * T + threadIdx.y, j = blockIdx.x * T + threadIdx.x;
    if (blockIdx.x > blockIdx.y) {
        if (i < n && j < n) s[i * n + j] = -1e30f;
        return;
    }
    float acc = 0.f;
    for (int c0 = 0; c0 < d; c0 += T) {
        qs[threadIdx.y][threadIdx.x] = (i < n && c0 + threadIdx.x < d) ? q[i * d + c0 + threadIdx.x] : 0.f;
        int kr = blockIdx.x * T + threadIdx.y;
        ks[threadIdx.y][threadIdx.x] = (kr < n && c0 + threadIdx.x < d) ? k[kr * d + c0 + threadIdx.x] : 0.f;
        __syncthreads();
#pragma unroll
        for (int c = 0; c < T; ++c) acc += qs[threadIdx.y][c] * ks[threadIdx.x][c];
        __syncthreads();
    }
    if (i < n && j < n) s[i * n + j] = j <= i ? acc * scale : -1e30f;
}
