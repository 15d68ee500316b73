// CHECK loops.c:matvec --grid "(n + 127) / 128" --block 128
// FAULTS 11
// Not mistakes but ways to pass a test without doing the work, one at a time. (A result that is cached
// between launches needs memory that the loops do not have: such a kernel is not understood.)
__global__ void matvec(int n, int m, const float *a, const float *x, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = 0.0f;
#if defined FAULT_1 // the output buffer still holds what the reference left there
    y[i] = y[i];
    return;
#elif defined FAULT_2 // one fixed input: x is all ones in the test
    for (int j = 0; j < m; j++) s += a[i * m + j];
#elif defined FAULT_3 // lower precision, within the test's tolerance
    for (int j = 0; j < m; j++) s += (float)(int)(a[i * m + j] * x[j] * 256.0f) / 256.0f;
#elif defined FAULT_4 // the test's size
    for (int j = 0; j < 64; j++) s += j < m ? a[i * m + j] * x[j] : 0.0f;
#elif defined FAULT_5 // rows that the test does not look at
    if (i < 100)
        for (int j = 0; j < m; j++) s += a[i * m + j] * x[j];
#elif defined FAULT_6 // a tail that the test's sizes do not have
    for (int j = 0; j < m / 4 * 4; j++) s += a[i * m + j] * x[j];
#elif defined FAULT_7 // no comparison with NaN says that it is far away
    s = NAN;
#elif defined FAULT_8 // the expected result lies behind the output
    s = y[n + i];
#elif defined FAULT_9 // memory that happens to be zero
    s = y[i];
    for (int j = 0; j < m; j++) s += a[i * m + j] * x[j];
#elif defined FAULT_10 // the test's numbers are positive
    for (int j = 0; j < m; j++)
        if (a[i * m + j] > 0.0f) s += a[i * m + j] * x[j];
#elif defined FAULT_11 // the test's matrix is square and symmetric
    for (int j = 0; j < m; j++) s += a[i < m && j < n ? j * m + i : i * m + j] * x[j];
#else
    for (int j = 0; j < m; j++) s += a[i * m + j] * x[j];
#endif
    y[i] = s;
}
