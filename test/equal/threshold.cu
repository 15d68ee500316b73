// CHECK loops.c:threshold --grid "(n + 255) / 256" --block 256
// FAULTS 5
__global__ void threshold(int n, const float *x, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
#if defined FAULT_1
    if (x[i] >= 1.0f) y[i] = x[i];
#elif defined FAULT_2
    y[i] = x[i] > 1.0f ? x[i] : 0.0f;
#elif defined FAULT_3
    if (x[i] > 1.0f) y[i] = 1.0f;
#elif defined FAULT_4
    if (x[i] > 1.0f) y[0] = x[i];
#elif defined FAULT_5
    if (!(x[i] > 1.0f)) y[i] = x[i];
#else
    if (x[i] > 1.0f) y[i] = x[i];
#endif
}
