// CHECK loops.c:upsample_nearest --grid "(w + 15) / 16, (h + 15) / 16" --block 16,16
__global__ void upsample2(const float *x, float *y, int h, int w) {
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < h && j < w) {
        float v = x[i * w + j];
        y[(2 * i) * (2 * w) + 2 * j] = v;
        y[(2 * i) * (2 * w) + 2 * j + 1] = v;
        y[(2 * i + 1) * (2 * w) + 2 * j] = v;
        y[(2 * i + 1) * (2 * w) + 2 * j + 1] = v;
    }
}
