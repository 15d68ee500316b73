// CHECK loops.c:geglu
__device__ __host__ constexpr float kInvSqrt2() { return 0.70710678f; }
template <typename scalar_t, scalar_t (*ACT)(scalar_t)>
__global__ void act_and_mul(scalar_t *__restrict__ out, const scalar_t *__restrict__ input, const int d) {
    const long token = blockIdx.x;
    for (long i = threadIdx.x; i < d; i += blockDim.x) {
        const scalar_t a = __ldg(&input[token * 2 * d + i]);
        const scalar_t b = __ldg(&input[token * 2 * d + d + i]);
        out[token * d + i] = ACT(a) * b;
    }
}
__device__ __forceinline__ float gelu(float v) { return 0.5f * v * (1.0f + erff(v * kInvSqrt2())); }
void launch(float *y, float *x, int rows, int F) {
    act_and_mul<float, gelu><<<rows, 192>>>(y, x, F);
}
