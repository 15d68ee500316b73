// CHECK loops.c:spmv_csr --permit reassociate --grid n --block 64
__global__ void spmv_block(int n, const int *row, const int *col, const float *val, const float *x, float *y) {
    __shared__ float s[64];
    int r = blockIdx.x, t = threadIdx.x;
    float sum = 0;
    for (int j = row[r] + t; j < row[r + 1]; j += 64) sum += val[j] * x[col[j]];
    s[t] = sum;
    __syncthreads();
    for (int o = 32; o > 0; o >>= 1) {
        if (t < o) s[t] += s[t + o];
        __syncthreads();
    }
    if (t == 0) y[r] = s[0];
}
