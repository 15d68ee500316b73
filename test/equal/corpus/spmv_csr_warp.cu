// CHECK loops.c:spmv_csr --permit reassociate --grid "(n + 7) / 8" --block 256
__global__ void spmv_csr_warp(int n, const int *row, const int *col, const float *val, const float *x, float *y) {
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    int lane = threadIdx.x % 32;
    if (warp < n) {
        int start = row[warp], end = row[warp + 1];
        float sum = 0.0f;
        for (int j = start + lane; j < end; j += 32) sum += val[j] * x[col[j]];
        for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xFFFFFFFF, sum, offset);
        if (lane == 0) y[warp] = sum;
    }
}
