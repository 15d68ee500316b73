// CHECK loops.c:spmv_csr --permit reassociate --grid "(n + 3) / 4" --block 128
__global__ void spmv_csr_vector_kernel(const int n, const int *row, const int *col, const float *val, const float *x, float *y) {
    int lane = threadIdx.x & 31, r = blockIdx.x * 4 + threadIdx.x / 32;
    if (r >= n) return;
    float s = 0.0f;
    for (int k = row[r] + lane; k < row[r + 1]; k += 32) s += val[k] * x[col[k]];
    for (int o = 16; o > 0; o >>= 1) s += __shfl_down_sync(0xffffffff, s, o);
    if (lane == 0) y[r] = s;
}
