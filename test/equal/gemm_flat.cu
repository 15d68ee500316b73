// CHECK loops.c:matmul --grid "(n + 31) / 32, (n + 31) / 32" --block 256 --where "n % 32 == 0"
// FAULTS 6
// One dimension of threads, divided by hand; four results a thread.
__global__ void gemm_flat(int n, const float *a, const float *b, float *c) {
    __shared__ float sa[32 * 8], sb[8 * 32];
    const int tid = threadIdx.x;
    const int cRow = blockIdx.y, cCol = blockIdx.x;
    const int tc = tid % 32, tr = tid / 32;
    a += cRow * 32 * n;
    b += cCol * 32;
    c += cRow * 32 * n + cCol * 32;
    const int innerColA = tid % 8, innerRowA = tid / 8;
    const int innerColB = tid % 32, innerRowB = tid / 32;
    float acc[4] = {0.0f};
    for (int bk = 0; bk < n; bk += 8) {
        sa[innerRowA * 8 + innerColA] = a[innerRowA * n + innerColA];
        sb[innerRowB * 32 + innerColB] = b[innerRowB * n + innerColB];
        __syncthreads();
#ifdef FAULT_1
        a += 8, b += 8;
#else
        a += 8, b += 8 * n;
#endif
        for (int k = 0; k < 8; k++) {
            float t = sb[k * 32 + tc];
            for (int r = 0; r < 4; r++)
#ifdef FAULT_2
                acc[r] += sa[(tr + r) * 8 + k] * t;
#else
                acc[r] += sa[(tr * 4 + r) * 8 + k] * t;
#endif
        }
#ifndef FAULT_3
        __syncthreads();
#endif
    }
#if defined FAULT_4
    for (int r = 0; r < 3; r++) c[(tr * 4 + r) * n + tc] = acc[r];
#elif defined FAULT_5
    for (int r = 0; r < 4; r++) c[(tr * 4 + r) * n + tc] = acc[3 - r];
#elif defined FAULT_6
    for (int r = 0; r < 4; r++) c[(tr * 4 + r) * 32 + tc] = acc[r];
#else
    for (int r = 0; r < 4; r++) c[(tr * 4 + r) * n + tc] = acc[r];
#endif
}
