// CHECK loops.c:silu_mul --grid n --block 128
__device__ __forceinline__ float silu(float x) { return x / (1.0f + expf(-x)); }
__global__ void silu_and_mul(float *__restrict__ y, const float *__restrict__ x, int m) {
    const float *row = x + (size_t)blockIdx.x * 2 * m;
    float *out = y + (size_t)blockIdx.x * m;
    for (int j = threadIdx.x; j < m; j += blockDim.x) out[j] = silu(row[j]) * row[m + j];
}
