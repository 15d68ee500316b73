// CHECK loops.c:prefixes --grid "(n + 63) / 64" --block 64
// FAULTS 3
// A counter that is worth something behind its loop.
__global__ void prefixes(const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int j = 0;
    for (int r = 0; r < 8; r++) {
        float s = 0.0f;
#if defined FAULT_1 // it goes on where the round before ended
        for (; j < 4 * (r + 1); j++) s += x[i * 32 + j];
#elif defined FAULT_2
        while (j < 4 * (r + 1)) {
            s += x[i * 32 + j];
            j++;
        }
#elif defined FAULT_3 // it stays where the loop was left
        for (j = 0; j < 4 * (r + 1); j++)
            if (x[i * 32 + j] < 0.0f) break;
        for (int k = 0; k < j; k++) s += x[i * 32 + k];
#else
        for (j = 0; j < 4 * (r + 1); j++) s += x[i * 32 + j];
#endif
        y[i * 8 + r] = s;
    }
}
