// CHECK loops.c:log_sum_exp --permit reassociate --grid "(n + 3) / 4" --block "32,4"
#include <cfloat>
template <int W>
__device__ __forceinline__ float warp_max(float v) {
#pragma unroll
    for (int o = W / 2; o > 0; o >>= 1) v = fmaxf(v, __shfl_xor_sync(0xffffffff, v, o));
    return v;
}
template <int W>
__device__ __forceinline__ float warp_sum(float v) {
#pragma unroll
    for (int o = W / 2; o > 0; o >>= 1) v += __shfl_xor_sync(0xffffffff, v, o);
    return v;
}
__global__ void __launch_bounds__(128) lse(const float *__restrict__ x, float *__restrict__ y, int n, int m) {
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= n) return;
    const float *xr = x + (size_t)row * m;
    float mx = -INFINITY;
    for (int j = threadIdx.x; j < m; j += 32) mx = fmaxf(mx, __ldg(xr + j));
    mx = warp_max<32>(mx);
    float s = 0.f;
    for (int j = threadIdx.x; j < m; j += 32) s += expf(__ldg(&xr[j]) - mx);
    s = warp_sum<32>(s);
    if (threadIdx.x == 0) y[row] = mx + logf(s);
}
