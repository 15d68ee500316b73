// CHECK loops.c:trmv --grid "(n + 127) / 128" --block 128
// FAULTS 5
__global__ void trmv(int n, const float *a, const float *x, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FAULT_1
    if (i > n) return;
#else
    if (i >= n) return;
#endif
    float s = 0;
#if defined FAULT_2
    for (int j = 0; j < i; j++) s += a[i * n + j] * x[j];
#elif defined FAULT_3
    for (int j = 0; j < n; j++) s += a[i * n + j] * x[j];
#elif defined FAULT_4
    for (int j = 0; j <= i; j++) s += a[j * n + i] * x[j];
#else
    for (int j = 0; j <= i; j++) s += a[i * n + j] * x[j];
#endif
#ifdef FAULT_5
    y[i] += s;
#else
    y[i] = s;
#endif
}
