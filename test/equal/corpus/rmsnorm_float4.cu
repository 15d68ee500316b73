// CHECK loops.c:rmsnorm_of --permit reassociate --grid n --block 128 --where "m % 4 == 0"
__device__ __forceinline__ float warp_reduce_sum(float v) {
#pragma unroll
    for (int mask = 16; mask > 0; mask >>= 1) v += __shfl_xor_sync(0xffffffff, v, mask);
    return v;
}
__global__ void rmsnorm_f4(const float *__restrict__ x, const float *__restrict__ w, float *__restrict__ y, int n, int m) {
    __shared__ float warp_sums[4];
    const int row = blockIdx.x;
    const float4 *x4 = reinterpret_cast<const float4 *>(x + row * m);
    const float4 *w4 = reinterpret_cast<const float4 *>(w);
    float4 *y4 = reinterpret_cast<float4 *>(y + row * m);
    float ss = 0.f;
    for (int i = threadIdx.x; i < m / 4; i += blockDim.x) {
        float4 v = x4[i];
        ss += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
    }
    ss = warp_reduce_sum(ss);
    if (threadIdx.x % 32 == 0) warp_sums[threadIdx.x / 32] = ss;
    __syncthreads();
    float total = warp_sums[0] + warp_sums[1] + warp_sums[2] + warp_sums[3];
    float inv = 1.0f / sqrtf(total / m + 1e-6f);
    for (int i = threadIdx.x; i < m / 4; i += blockDim.x) {
        float4 v = x4[i], g = w4[i], o;
        o.x = v.x * inv * g.x;
        o.y = v.y * inv * g.y;
        o.z = v.z * inv * g.z;
        o.w = v.w * inv * g.w;
        y4[i] = o;
    }
}
