// CHECK loops.c:vadd --layout 'P[3 * i] = a[i]' --layout 'P[3 * i + 1] = b[i]' --layout 'P[3 * i + 2] = c[i]' --grid "(n + 127) / 128" --block 128
// FAULTS 5
// Records of three floats for three arrays.
__global__ void vadd(float *P, int n) {
    int i = blockIdx.x * 128 + threadIdx.x;
#ifdef FAULT_1
    if (i > n) return;
#elif defined FAULT_2
    if (i >= n - 1) return;
#else
    if (i >= n) return;
#endif
#ifdef FAULT_3
    P[3 * i + 2] = P[3 * i] + P[3 * i];
#elif defined FAULT_4
    P[3 * i + 1] = P[3 * i] + P[3 * i + 1];
#elif defined FAULT_5
    P[3 * i + 2] = P[3 * i] + P[3 * i + 4];
#else
    P[3 * i + 2] = P[3 * i] + P[3 * i + 1];
#endif
}
