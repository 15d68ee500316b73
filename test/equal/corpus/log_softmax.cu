// CHECK loops.c:log_softmax --grid "(n + 31) / 32" --block 32
__global__ void log_softmax(const float *x, float *y, int n, int m) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const float *row = x + i * m;
        float top = -INFINITY;
        for (int j = 0; j < m; j++) top = fmaxf(top, row[j]);
        float s = 0.0f;
        for (int j = 0; j < m; j++) s += expf(row[j] - top);
        float l = logf(s);
        for (int j = 0; j < m; j++) y[i * m + j] = row[j] - top - l;
    }
}
