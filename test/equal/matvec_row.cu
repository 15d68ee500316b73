// CHECK loops.c:matvec --grid "(n + 127) / 128" --block 128
// FAULTS 5
__global__ void matvec_row(int n, int m, const float *a, const float *x, float *y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = 0.0f;
#if defined FAULT_1
    for (int j = 0; j < n; ++j) s += a[i * m + j] * x[j];
#elif defined FAULT_2
    for (int j = 0; j < m; ++j) s += a[j * n + i] * x[j];
#elif defined FAULT_3
    for (int j = 0; j < m; j += 2) s += a[i * m + j] * x[j];
#elif defined FAULT_4
    for (int j = 0; j < m; ++j) s += a[i * m + j] * x[i];
#elif defined FAULT_5
    for (int j = m; j > 0; --j) s += a[i * m + j] * x[j];
#else
    for (int j = 0; j < m; ++j) s += a[i * m + j] * x[j];
#endif
    y[i] = s;
}
