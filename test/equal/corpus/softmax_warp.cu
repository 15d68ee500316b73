// CHECK loops.c:softmax --permit reassociate --grid "(n + 3) / 4" --block 32,4
__device__ float warpReduceMax(float val) {
    for (int offset = 16; offset > 0; offset /= 2) val = fmaxf(val, __shfl_xor_sync(0xFFFFFFFF, val, offset));
    return val;
}
__device__ float warpReduceSum(float val) {
    for (int offset = 16; offset > 0; offset /= 2) val += __shfl_xor_sync(0xFFFFFFFF, val, offset);
    return val;
}
__global__ void softmax_warp(const float *x, float *y, int n, int m) {
    int row = blockIdx.x * blockDim.y + threadIdx.y;
    int lane = threadIdx.x;
    if (row >= n) return;
    float mx = -INFINITY;
    for (int j = lane; j < m; j += 32) mx = fmaxf(mx, x[row * m + j]);
    mx = warpReduceMax(mx);
    float sum = 0.0f;
    for (int j = lane; j < m; j += 32) sum += expf(x[row * m + j] - mx);
    sum = warpReduceSum(sum);
    for (int j = lane; j < m; j += 32) y[row * m + j] = expf(x[row * m + j] - mx) / sum;
}
