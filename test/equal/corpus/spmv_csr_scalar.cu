// CHECK loops.c:spmv_csr --grid "(n + 127) / 128" --block 128
__global__ void spmv_csr_scalar_kernel(const int num_rows, const int *row, const int *col, const float *val, const float *x, float *y) {
    int r = blockDim.x * blockIdx.x + threadIdx.x;
    if (r < num_rows) {
        float dot = 0;
        int row_start = row[r];
        int row_end = row[r + 1];
        for (int jj = row_start; jj < row_end; jj++) dot += val[jj] * x[col[jj]];
        y[r] = dot;
    }
}
