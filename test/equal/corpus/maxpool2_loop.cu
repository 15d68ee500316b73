// CHECK loops.c:maxpool2 --grid "(w + 15) / 16, (h + 15) / 16" --block 16,16
__global__ void maxpool_loop(const float *x, float *y, int h, int w) {
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < h && j < w) {
        float m = -INFINITY;
        for (int p = 0; p < 2; p++)
            for (int q = 0; q < 2; q++) m = fmaxf(m, x[(2 * i + p) * (2 * w) + 2 * j + q]);
        y[i * w + j] = m;
    }
}
