// CHECK loops.c:scaled_unsigned --grid "(n + 127) / 128" --block 128
// FAULTS 2
// SAYS 1 it is right with n % 128 == 0
__global__ void scaled_unsigned(float *x, float by, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
#if defined FAULT_1
    if (n - i >= 128 - threadIdx.x) x[i] *= by;
#elif defined FAULT_2
    if (i <= n) x[i] *= by;
#else
    if (i < n) x[i] *= by;
#endif
}
