// CHECK loops.c:gelu --grid "(n + 255) / 256" --block 256
// FAULTS 5
__device__ __forceinline__ float gelu_of(float x) {
#ifdef FAULT_1
    const float k = 0.79788456f;
    return 0.5f * x * (1.0f + tanhf(k * (x + 0.044715f * x * x)));
#elif defined FAULT_2
    return 0.5f * x * (1.0f + tanhf(0.7978845608f * (x - 0.044715f * x * x * x)));
#elif defined FAULT_3
    return 0.5f * x * tanhf(0.7978845608f * (x + 0.044715f * x * x * x));
#else
    return 0.5f * x * (1.0f + tanhf(0.7978845608f * (x + 0.044715f * x * x * x)));
#endif
}
__global__ void gelu(const float *x, float *y, int n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FAULT_4
    y[i] = gelu_of(x[i]);
#elif defined FAULT_5
    if (i < n) y[i] = gelu_of(x[n - i]);
#else
    if (i < n) y[i] = gelu_of(x[i]);
#endif
}
