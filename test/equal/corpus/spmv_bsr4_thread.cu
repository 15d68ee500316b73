// CHECK loops.c:spmv_bsr4 --grid "(4 * nb + 127) / 128" --block 128
__global__ void bsr_spmv(const int *ptr, const int *col, const float *val, const float *x, float *y, int nb) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= nb * 4) return;
    int i = row / 4, r = row % 4;
    float sum = 0;
    for (int p = ptr[i]; p < ptr[i + 1]; p++) {
        int bc = col[p];
        for (int c = 0; c < 4; c++) sum += val[(p * 4 + r) * 4 + c] * x[bc * 4 + c];
    }
    y[row] = sum;
}
