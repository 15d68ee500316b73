// CHECK loops.c:vadd --grid 16 --block 64
// FAULTS 5
__global__ void vadd_while(const float *a, const float *b, float *c, int n) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    const int stride = blockDim.x * gridDim.x;
#if defined FAULT_1
    while (i < n - 1) {
#elif defined FAULT_2
    while (i <= n) {
#else
    while (i < n) {
#endif
#if defined FAULT_3
        c[i] += a[i] + b[i];
#elif defined FAULT_4
        c[i] = a[i] + a[i];
#else
        c[i] = a[i] + b[i];
#endif
#if defined FAULT_5
        i += stride + 1;
#else
        i += stride;
#endif
    }
}
