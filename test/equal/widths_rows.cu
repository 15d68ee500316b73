// CHECK loops.c:widths_rows --grid "((long)n * m + 63) / 64" --block 64
// FAULTS 1
// OPEN_FAULTS 1
// SAYS 1 n * m, which the kernel computes at line 9, may be no number of its type, i32
// Addresses are wide enough, a bound is not.
__global__ void widths_rows(int n, int m, const float *x, float *y) {
    long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FAULT_1
    if (i < n * m) y[i] = 2 * x[i];
#else
    if (i < (long)n * m) y[i] = 2 * x[i];
#endif
}
