// CHECK loops.c:group_norm --permit reassociate --where "C >= 1 && S >= 1"
#include <cuda_runtime.h>
#define THREADS 256
__device__ __forceinline__ float warp_sum(float v) {
#pragma unroll
    for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(0xffffffff, v, o);
    return v;
}
__device__ float block_sum(float v) {
    __shared__ float shared[32];
    __shared__ float total;
    int lane = threadIdx.x & 31, wid = threadIdx.x >> 5;
    v = warp_sum(v);
    if (lane == 0) shared[wid] = v;
    __syncthreads();
    v = threadIdx.x < THREADS / 32 ? shared[lane] : 0.0f;
    if (wid == 0) v = warp_sum(v);
    if (threadIdx.x == 0) total = v;
    __syncthreads();
    return total;
}
__global__ void group_norm_kernel(const float *x, const float *gamma, const float *beta, float *y, int G,
                                  int C, int S) {
    int n = blockIdx.x / G, g = blockIdx.x % G;
    int len = C * S;
    const float *xp = x + (size_t)(n * G + g) * len;
    float *yp = y + (size_t)(n * G + g) * len;
    float s = 0.0f;
    for (int i = threadIdx.x; i < len; i += THREADS) s += xp[i];
    float mean = block_sum(s) / len;
    float q = 0.0f;
    for (int i = threadIdx.x; i < len; i += THREADS) {
        float d = xp[i] - mean;
        q += d * d;
    }
    float rstd = 1.0f / sqrtf(block_sum(q) / len + 1e-5f);
    for (int i = threadIdx.x; i < len; i += THREADS) {
        int c = g * C + i / S;
        yp[i] = (xp[i] - mean) * rstd * gamma[c] + beta[c];
    }
}
void group_norm(int N, int G, int C, int S, const float *x, const float *w, const float *b, float *y) {
    group_norm_kernel<<<N * G, THREADS>>>(x, w, b, y, G, C, S);
}
