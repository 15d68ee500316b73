// CHECK loops.c:saxpy --grid "(n + 255) / 256" --block 256
// FAULTS 6
__global__ void saxpy(int n, float a, const float *x, float *y) {
#ifdef FAULT_1 // the index counts threads of one block
    int i = threadIdx.x;
#else
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#endif
#if defined FAULT_2 // no guard
    y[i] = a * x[i] + y[i];
#elif defined FAULT_3 // one too many
    if (i <= n) y[i] = a * x[i] + y[i];
#elif defined FAULT_4 // swapped
    if (i < n) y[i] = a * y[i] + x[i];
#elif defined FAULT_5 // one too few
    if (i < n - 1) y[i] = a * x[i] + y[i];
#elif defined FAULT_6 // hangs on one size
    if (i < 1024) { if (i < n) y[i] = a * x[i] + y[i]; }
#else
    if (i < n) y[i] = a * x[i] + y[i];
#endif
}
