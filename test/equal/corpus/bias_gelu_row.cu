// CHECK loops.c:bias_gelu --grid n --block 256
__global__ void bias_gelu(const float *__restrict__ x, const float *__restrict__ b, float *__restrict__ y, int n, int m) {
    const float *xr = x + blockIdx.x * m;
    float *yr = y + blockIdx.x * m;
    for (int j = threadIdx.x; j < m; j += 256) {
        float v = xr[j] + b[j];
        yr[j] = v * 0.5f * (1.0f + erff(v * 0.70710678f));
    }
}
