// CHECK loops.c:mish
__device__ __forceinline__ float mish1(float v) { return v * tanhf(log1pf(expf(v))); }
__global__ void mish_vec(const float *__restrict__ x, float *__restrict__ y, int n) {
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    if (i + 3 < n) {
        float4 v = *reinterpret_cast<const float4 *>(x + i);
        v.x = mish1(v.x); v.y = mish1(v.y); v.z = mish1(v.z); v.w = mish1(v.w);
        *reinterpret_cast<float4 *>(y + i) = v;
    } else {
        for (; i < n; ++i) y[i] = mish1(x[i]);
    }
}
void mish(int n, const float *x, float *y) {
    int threads = 256, blocks = (n + threads * 4 - 1) / (threads * 4);
    mish_vec<<<blocks, threads>>>(x, y, n);
}
