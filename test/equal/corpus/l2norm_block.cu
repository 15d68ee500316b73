// CHECK loops.c:l2norm --grid n --block 256 --permit reassociate --permit approximate
__device__ inline float warp_sum(float v)
{
#pragma unroll
    for (int o = 16; o; o >>= 1) v += __shfl_xor_sync(0xffffffffu, v, o);
    return v;
}
__global__ void l2norm(int n, int m, float eps, const float *x, float *y)
{
    __shared__ float warps[8];
    __shared__ float scale;
    const int row = blockIdx.x, lane = threadIdx.x & 31, wid = threadIdx.x >> 5;
    float s = 0.f;
    for (int j = threadIdx.x; j < m; j += 256) { float v = x[row * m + j]; s += v * v; }
    s = warp_sum(s);
    if (lane == 0) warps[wid] = s;
    __syncthreads();
    if (wid == 0) {
        s = lane < 8 ? warps[lane] : 0.f;
        s = warp_sum(s);
        if (lane == 0) scale = rsqrtf(s + eps);
    }
    __syncthreads();
    for (int j = threadIdx.x; j < m; j += 256) y[row * m + j] = x[row * m + j] * scale;
}
