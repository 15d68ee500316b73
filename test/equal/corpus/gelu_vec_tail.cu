// CHECK loops.c:gelu_erf
__device__ __forceinline__ float gelu(float x) { return 0.5f * x * (1.0f + erff(x * 0.70710678f)); }
__global__ void gelu_kernel(const float *__restrict__ x, float *__restrict__ y, size_t n) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t n4 = n / 4;
    if (i < n4) {
        float4 v = reinterpret_cast<const float4 *>(x)[i];
        v.x = gelu(v.x);
        v.y = gelu(v.y);
        v.z = gelu(v.z);
        v.w = gelu(v.w);
        reinterpret_cast<float4 *>(y)[i] = v;
    }
    if (i < n % 4) y[n4 * 4 + i] = gelu(x[n4 * 4 + i]);
}
void launch_gelu(const float *x, float *y, int n) {
    int threads = 256;
    int blocks = (n / 4 + threads - 1) / threads;
    if (blocks < 1) blocks = 1;
    gelu_kernel<<<blocks, threads>>>(x, y, n);
}
