// CHECK loops.c:maxpool2 --grid "(w + 15) / 16, (h + 15) / 16" --block 16,16
__global__ void maxpool(const float *x, float *y, int h, int w) {
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= h || j >= w) return;
    int W = 2 * w;
    float m = x[2 * i * W + 2 * j];
    m = fmaxf(m, x[2 * i * W + 2 * j + 1]);
    m = fmaxf(m, x[(2 * i + 1) * W + 2 * j]);
    m = fmaxf(m, x[(2 * i + 1) * W + 2 * j + 1]);
    y[i * w + j] = m;
}
