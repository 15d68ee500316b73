// CHECK loops.c:argmax_rows --grid "(n + 63) / 64" --block 64
__global__ void argmax(const float *x, int *y, int n, int m) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int best = 0;
    float top = x[i * m];
    for (int j = 1; j < m; j++) {
        float v = x[i * m + j];
        if (v > top) {
            top = v;
            best = j;
        }
    }
    y[i] = best;
}
