// CHECK loops.c:argmax_rows --where "m >= 1" --grid "(n + 63) / 64" --block 64
__global__ void argmax_rows(const float *x, int *y, int n, int m) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float *row = x + i * m;
    int best = 0;
    for (int j = 1; j < m; ++j)
        if (row[j] > row[best]) best = j;
    y[i] = best;
}
