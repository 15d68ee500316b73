// CHECK loops.c:layernorm_dx --permit reassociate --grid "(n + 3) / 4" --block "32, 4"
__global__ void layernorm_backward_dx(const float *dy, const float *x, const float *w, const float *mean,
                                      const float *rstd, float *dx, int n, int d) {
    int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= n) return;
    const float *dyr = dy + row * d, *xr = x + row * d;
    float mu = mean[row], rs = rstd[row];
    float sum1 = 0.f, sum2 = 0.f;
    for (int j = threadIdx.x; j < d; j += 32) {
        float xhat = (xr[j] - mu) * rs;
        float g = dyr[j] * w[j];
        sum1 += g;
        sum2 += g * xhat;
    }
    for (int mask = 16; mask > 0; mask /= 2) {
        sum1 += __shfl_xor_sync(0xffffffffu, sum1, mask);
        sum2 += __shfl_xor_sync(0xffffffffu, sum2, mask);
    }
    for (int j = threadIdx.x; j < d; j += 32) {
        float xhat = (xr[j] - mu) * rs;
        float g = dyr[j] * w[j];
        dx[row * d + j] = rs * (g - sum1 / d - xhat * (sum2 / d));
    }
}
