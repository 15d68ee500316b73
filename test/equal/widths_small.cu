// CHECK loops.c:widths_small --grid "(n + 63) / 64" --block 64
// FAULTS 2
// OPEN_FAULTS 1 2
// SAYS 1 m <= 32767
// SAYS 2 a term of the loops' sum is not found
// A loop whose counter comes to its type's end before it does to its own.
__global__ void widths_small(int n, int m, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = 0;
#ifdef FAULT_1
    for (short k = 0; k < m; k++) s += (float)k;
#elif defined FAULT_2
    for (int k = 0; k < m; k++) s += (float)(short)k;
#else
    for (unsigned k = 0; k < (unsigned)m; k++) s += (float)k;
#endif
    y[i] = s;
}
