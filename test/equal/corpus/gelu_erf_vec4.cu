// CHECK loops.c:gelu_by_erf --where "n % 4 == 0" --grid "(n / 4 + 127) / 128" --block 128
__global__ void gelu(const float4 *__restrict__ in, float4 *__restrict__ out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n / 4) return;
    float4 v = in[i], r;
    r.x = 0.5f * v.x * (1.0f + erff(v.x * 0.70710678f));
    r.y = 0.5f * v.y * (1.0f + erff(v.y * 0.70710678f));
    r.z = 0.5f * v.z * (1.0f + erff(v.z * 0.70710678f));
    r.w = 0.5f * v.w * (1.0f + erff(v.w * 0.70710678f));
    out[i] = r;
}
