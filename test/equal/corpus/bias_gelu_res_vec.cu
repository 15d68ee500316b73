// CHECK loops.c:bias_gelu_residual --where "cols % 4 == 0 && cols >= 4" --grid "(rows * (cols / 4) + 255) / 256" --block 256 --kernel fused
struct GeluOp {
    __device__ __forceinline__ float operator()(float v) const { return 0.5f * v * (1.0f + erff(v * 0.70710678f)); }
};
template <class Op>
__device__ __forceinline__ float4 map4(float4 a, Op op) {
    return make_float4(op(a.x), op(a.y), op(a.z), op(a.w));
}
__device__ __forceinline__ float4 operator+(const float4 &a, const float4 &b) {
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}
__global__ void __launch_bounds__(256) fused(const float4 *__restrict__ x, const float4 *__restrict__ bias, const float4 *__restrict__ res, float4 *__restrict__ y, int rows, int cols) {
    const int c4 = cols / 4;
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= rows * c4) return;
    y[i] = map4(x[i] + bias[i % c4], GeluOp{}) + res[i];
}
