// CHECK loops.c:layer_norm --permit reassociate --permit approximate --grid rows --block 256 --kernel layernorm
__inline__ __device__ float warpSum(float v) {
    for (int o = 16; o > 0; o >>= 1) v += __shfl_xor_sync(0xffffffff, v, o);
    return v;
}
__inline__ __device__ float blockSum(float v) {
    static __shared__ float shared[32];
    int lane = threadIdx.x & 0x1f, wid = threadIdx.x >> 5;
    v = warpSum(v);
    if (lane == 0) shared[wid] = v;
    __syncthreads();
    v = threadIdx.x < (blockDim.x >> 5) ? shared[lane] : 0.0f;
    if (wid == 0) v = warpSum(v);
    __syncthreads();
    return v;
}
__global__ void layernorm(const float *x, const float *g, const float *b, float *y, int rows, int cols, float eps) {
    __shared__ float mean_s, inv_s;
    const float *r = x + blockIdx.x * cols;
    float s = 0;
    for (int i = threadIdx.x; i < cols; i += blockDim.x) s += r[i];
    s = blockSum(s);
    if (threadIdx.x == 0) mean_s = s / cols;
    __syncthreads();
    float var = 0;
    for (int i = threadIdx.x; i < cols; i += blockDim.x) {
        float d = r[i] - mean_s;
        var += d * d;
    }
    var = blockSum(var);
    if (threadIdx.x == 0) inv_s = rsqrtf(var / cols + eps);
    __syncthreads();
    for (int i = threadIdx.x; i < cols; i += blockDim.x)
        y[blockIdx.x * cols + i] = (r[i] - mean_s) * inv_s * g[i] + b[i];
}
