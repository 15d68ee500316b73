// CHECK loops.c:row_softmax --permit reassociate --grid "(rows+3)/4" --block 128 --kernel softmax_warp
__inline__ __device__ float warpReduceMax(float v) {
    for (int offset = 16; offset > 0; offset /= 2) v = fmaxf(v, __shfl_xor_sync(0xffffffff, v, offset));
    return v;
}
__inline__ __device__ float warpReduceSum(float v) {
    for (int offset = 16; offset > 0; offset /= 2)
        v += __shfl_xor_sync(0xffffffff, v, offset);
    return v;
}
__global__ void softmax_warp(const float *x, float *y, int rows, int cols) {
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int row = blockIdx.x * (blockDim.x / 32) + warp;
    if (row >= rows) return;
    const float *xr = x + row * cols;
    float *yr = y + row * cols;
    float m = -INFINITY;
    for (int c = lane; c < cols; c += 32) m = fmaxf(m, xr[c]);
    m = warpReduceMax(m);
    float s = 0.f;
    for (int c = lane; c < cols; c += 32)
        s += expf(xr[c] - m);
    s = warpReduceSum(s);
    for (int c = lane; c < cols; c += 32)
        yr[c] = expf(xr[c] - m) / s;
}
