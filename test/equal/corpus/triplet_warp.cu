// CHECK loops.c:triplet --permit reassociate --grid "(n + 7) / 8" --block 32,8
__global__ void triplet_loss(const float *a, const float *p, const float *q, float *loss, int n, int d, float margin) {
    int row = blockIdx.x * blockDim.y + threadIdx.y;
    int lane = threadIdx.x;
    if (row >= n) return;
    float dp = 0.f, dn = 0.f;
    for (int k = lane; k < d; k += 32) {
        float u = a[row * d + k] - p[row * d + k];
        float v = a[row * d + k] - q[row * d + k];
        dp += u * u;
        dn += v * v;
    }
    for (int o = 16; o > 0; o >>= 1) {
        dp += __shfl_down_sync(0xffffffffu, dp, o);
        dn += __shfl_down_sync(0xffffffffu, dn, o);
    }
    if (lane == 0) loss[row] = fmaxf(dp - dn + margin, 0.0f);
}
