// CHECK loops.c:upsample_nearest --grid "(2 * w + 15) / 16, (2 * h + 15) / 16" --block 16,16
__global__ void upsample(const float *x, float *y, int h, int w) {
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    int H = h * 2, W = w * 2;
    if (i < H && j < W) y[i * W + j] = x[(i / 2) * w + (j / 2)];
}
