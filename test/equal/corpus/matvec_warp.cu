// CHECK loops.c:matvec --permit reassociate --grid "(n + 3) / 4" --block 128
__global__ void gemv_warp(const float *A, const float *x, float *y, int n, int m) {
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int row = blockIdx.x * 4 + warp;
    if (row >= n) return;
    float s = 0.0f;
    for (int j = lane; j < m; j += 32) s += A[row * m + j] * x[j];
    for (int off = 16; off > 0; off >>= 1) s += __shfl_down_sync(0xffffffff, s, off);
    if (lane == 0) y[row] = s;
}
