// CHECK loops.c:gather --grid "(n + 63) / 64" --block 64
// FAULTS 5
__global__ void gather(int n, const float *x, const int *idx, float *y) {
    int i = blockIdx.x * 64 + threadIdx.x;
#if defined FAULT_1
    y[i] = x[idx[i]];
#elif defined FAULT_2
    if (i < n) y[i] = x[idx[n - 1 - i]];
#elif defined FAULT_3
    if (i < n) y[i] = x[i];
#elif defined FAULT_4
    if (i < n) y[i] = x[idx[i]] + x[idx[0]];
#elif defined FAULT_5
    if (i + 1 < n) y[i] = x[idx[i]];
#else
    if (i < n) y[i] = x[idx[i]];
#endif
}
