// CHECK loops.c:ell_spmv --grid "(n + 255) / 256" --block 256
__global__ void ell(const int *col, const float *val, const float *x, float *y, int n, int k) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n) {
        float dot = 0.0f;
        for (int j = 0; j < k; j++) {
            int c = col[n * j + row];
            if (c >= 0) dot += val[n * j + row] * x[c];
        }
        y[row] = dot;
    }
}
