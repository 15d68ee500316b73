// CHECK loops.c:layer_norm --permit reassociate --where "cols % 4 == 0 && cols >= 4" --grid rows --block 128 --kernel layernorm_kernel
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
__global__ void layernorm_kernel(const float *__restrict__ x, const float *__restrict__ g, const float *__restrict__ b, float *__restrict__ y, int rows, int cols, float eps) {
    __shared__ float sh[32];
    const float4 *xv = reinterpret_cast<const float4 *>(x + (size_t)blockIdx.x * cols);
    float4 *yv = reinterpret_cast<float4 *>(y + (size_t)blockIdx.x * cols);
    const float4 *gv = reinterpret_cast<const float4 *>(g);
    const float4 *bv = reinterpret_cast<const float4 *>(b);
    float s = 0.f;
    for (int i = threadIdx.x; i < cols / 4; i += blockDim.x) {
        float4 v = xv[i];
        s += v.x + v.y + v.z + v.w;
    }
    float mean = block_sum(s, sh) / cols;
    float q = 0.f;
    for (int i = threadIdx.x; i < cols / 4; i += blockDim.x) {
        float4 v = xv[i];
        v.x -= mean, v.y -= mean, v.z -= mean, v.w -= mean;
        q += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
    }
    float inv = 1.0f / sqrtf(block_sum(q, sh) / cols + eps);
    for (int i = threadIdx.x; i < cols / 4; i += blockDim.x) {
        float4 v = xv[i], a = gv[i], c = bv[i], o;
        o.x = (v.x - mean) * inv * a.x + c.x;
        o.y = (v.y - mean) * inv * a.y + c.y;
        o.z = (v.z - mean) * inv * a.z + c.z;
        o.w = (v.w - mean) * inv * a.w + c.w;
        yv[i] = o;
    }
}
