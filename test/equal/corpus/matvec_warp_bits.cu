// CHECK loops.c:matvec_warp_bits --permit reassociate --grid "(m + 7) / 8" --block 256
__global__ void gemv(const float *A, const float *x, float *y, int m, int n) {
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    int row = (blockIdx.x << 3) + warp;
    float acc = 0.0f;
    if (row < m)
        for (int c = lane; c < n; c += warpSize) acc = fmaf(A[row * n + c], x[c], acc);
    acc += __shfl_down_sync(~0u, acc, 16);
    acc += __shfl_down_sync(~0u, acc, 8);
    acc += __shfl_down_sync(~0u, acc, 4);
    acc += __shfl_down_sync(~0u, acc, 2);
    acc += __shfl_down_sync(~0u, acc, 1);
    if (lane == 0 && row < m) y[row] = acc;
}
