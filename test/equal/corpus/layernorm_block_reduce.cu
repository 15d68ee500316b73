// CHECK loops.c:layernorm_block_reduce --permit reassociate --grid n --block 128
__device__ float block_sum(float v, float *sh) {
    int lane = threadIdx.x & 31, wid = threadIdx.x >> 5;
    for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(0xffffffff, v, o);
    __syncthreads();
    if (lane == 0) sh[wid] = v;
    __syncthreads();
    if (wid == 0) {
        v = lane < (blockDim.x >> 5) ? sh[lane] : 0.f;
        for (int o = 2; o > 0; o >>= 1) v += __shfl_down_sync(0xffffffff, v, o);
        if (lane == 0) sh[0] = v;
    }
    __syncthreads();
    return sh[0];
}
__global__ void ln(const float *x, const float *g, const float *b, float *y, int n, int m, float eps) {
    __shared__ float sh[32];
    const float *row = x + blockIdx.x * m;
    float *out = y + blockIdx.x * m;
    float s = 0.f;
    for (int j = threadIdx.x; j < m; j += blockDim.x) s += row[j];
    float mu = block_sum(s, sh) / m;
    float q = 0.f;
    for (int j = threadIdx.x; j < m; j += blockDim.x) {
        float d = row[j] - mu;
        q += d * d;
    }
    float r = 1.0f / sqrtf(block_sum(q, sh) / m + eps);
    for (int j = threadIdx.x; j < m; j += blockDim.x) out[j] = (row[j] - mu) * r * g[j] + b[j];
}
