// CHECK loops.c:layernorm --permit reassociate --grid n --block 128 --bind C=m,w=g
__device__ __forceinline__ float block_sum(float v, float *sh) {
    int lane = threadIdx.x & 31, w = threadIdx.x >> 5;
    for (int o = 16; o; o >>= 1) v += __shfl_down_sync(0xffffffffu, v, o);
    if (lane == 0) sh[w] = v;
    __syncthreads();
    v = threadIdx.x < blockDim.x / 32 ? sh[lane] : 0.f;
    if (w == 0)
        for (int o = 16; o; o >>= 1) v += __shfl_down_sync(0xffffffffu, v, o);
    if (threadIdx.x == 0) sh[0] = v;
    __syncthreads();
    v = sh[0];
    __syncthreads();
    return v;
}
__global__ void ln(const float *x, const float *w, const float *b, float *y, int N, int C) {
    __shared__ float sh[32];
    x += blockIdx.x * C; y += blockIdx.x * C;
    float s = 0.f;
    for (int i = threadIdx.x; i < C; i += blockDim.x) s += x[i];
    float mean = block_sum(s, sh) / C;
    float q = 0.f;
    for (int i = threadIdx.x; i < C; i += blockDim.x) q += (x[i] - mean) * (x[i] - mean);
    float inv = 1.0f / sqrtf(block_sum(q, sh) / C + 1e-5f);
    for (int i = threadIdx.x; i < C; i += blockDim.x) y[i] = (x[i] - mean) * inv * w[i] + b[i];
}
