// CHECK loops.c:dot_one --permit reassociate
#include <cuda_runtime.h>
#define BLOCK 256
__device__ float block_reduce(float v) {
    __shared__ float warp_sums[BLOCK / 32];
    int lane = threadIdx.x % 32, wid = threadIdx.x / 32;
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
    if (lane == 0) warp_sums[wid] = v;
    __syncthreads();
    v = (threadIdx.x < BLOCK / 32) ? warp_sums[lane] : 0.0f;
    if (wid == 0)
        for (int d = 4; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
    return v;
}
__global__ void dot_stage1(const float *a, const float *b, float *partial, int n) {
    float s = 0.0f;
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK) s += a[i] * b[i];
    s = block_reduce(s);
    if (threadIdx.x == 0) partial[blockIdx.x] = s;
}
__global__ void dot_stage2(const float *in, float *out, int nb) {
    int tid = threadIdx.x;
    float s = tid < nb ? in[tid] : 0.0f;
    s = block_reduce(s);
    if (tid == 0) *out = s;
}
void dot(int n, const float *d_a, const float *d_b, float *d_out) {
    const int blocks = 200;
    float *d_partial;
    cudaMalloc(&d_partial, blocks * sizeof(float));
    dot_stage1<<<blocks, BLOCK>>>(d_a, d_b, d_partial, n);
    dot_stage2<<<1, BLOCK>>>(d_partial, d_out, blocks);
    cudaFree(d_partial);
}
