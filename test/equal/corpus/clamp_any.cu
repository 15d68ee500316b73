// CHECK loops.c:clamp --grid "(n - 1) / blockDim.x + 1" --where "n > 0"
__global__ void clamp(float *x, int n, float lo, float hi)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < (size_t)n) {
        const float v = x[i];
        x[i] = v < lo ? lo : (v > hi ? hi : v);
    }
}
