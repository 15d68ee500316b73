// CHECK loops.c:argmin_idx --where "m >= 1" --grid "(n + 127) / 128" --block 128
__global__ void argmin_kernel(const float *x, int *out, int n, int m) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;
    float min_val = x[row * m];
    int min_idx = 0;
    for (int j = 1; j < m; ++j) {
        float v = x[row * m + j];
        if (v < min_val) {
            min_val = v;
            min_idx = j;
        }
    }
    out[row] = min_idx;
}
