// CHECK loops.c:spmv_csr_lanes8 --permit reassociate --grid "(n + 15) / 16" --block 128
template <unsigned VEC>
__global__ void spmv(const int *ptr, const int *col, const float *val, const float *x, float *y, int n) {
    const unsigned lane = threadIdx.x % VEC;
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / VEC;
    float s = 0;
    if (row < n) {
        const int end = ptr[row + 1];
        for (int k = ptr[row] + lane; k < end; k += VEC) s += val[k] * __ldg(x + col[k]);
    }
    for (unsigned o = VEC / 2; o > 0; o /= 2) s += __shfl_down_sync(0xffffffff, s, o, VEC);
    if (row < n && lane == 0) y[row] = s;
}
void spmv_csr(int n, const int *ptr, const int *col, const float *val, const float *x, float *y) {
    spmv<8><<<(n + 15) / 16, 128>>>(ptr, col, val, x, y, n);
}
