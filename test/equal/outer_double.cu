// CHECK loops.c:outer --grid "(m + 31) / 32, (n + 7) / 8" --block 32,8
// FAULTS 5
__global__ void outer_double(int n, int m, const double *x, const double *y, double *a) {
    int j = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y * 8 + threadIdx.y;
    if (i < n && j < m)
#if defined FAULT_1
        a[i * m + j] = x[i] * y[j];
#elif defined FAULT_2
        a[i * m + j] += x[j] * y[i];
#elif defined FAULT_3
        a[j * n + i] += x[i] * y[j];
#elif defined FAULT_4
        a[i * m + j] += (double)((float)x[i] * (float)y[j]);
#elif defined FAULT_5
        a[i * m + j] -= x[i] * y[j];
#else
        a[i * m + j] += x[i] * y[j];
#endif
}
