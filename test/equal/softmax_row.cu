// CHECK loops.c:softmax --grid "(n + 63) / 64" --block 64
// FAULTS 5
__global__ void softmax_row(const float *x, float *y, int n, int m) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;
    const float *in = x + row * m;
    float *out = y + row * m;
    float top = -INFINITY;
#if defined FAULT_1
    for (int j = 0; j < m - 1; j++) top = fmaxf(top, in[j]);
#else
    for (int j = 0; j < m; j++) top = fmaxf(top, in[j]);
#endif
    float s = 0.0f;
#if defined FAULT_2
    for (int j = 1; j < m; j++) s += expf(in[j] - top);
#elif defined FAULT_3
    for (int j = 0; j < m; j++) s += expf(top - in[j]);
#else
    for (int j = 0; j < m; j++) s += expf(in[j] - top);
#endif
#if defined FAULT_4
    for (int j = 0; j < m; j++) out[j] = expf(in[j] - top) / (s + 1.0f);
#elif defined FAULT_5
    for (int j = 0; j < m; j++) out[j] = expf(in[j] - top) * s;
#else
    for (int j = 0; j < m; j++) out[j] = expf(in[j] - top) / s;
#endif
}
