// CHECK loops.c:upsample2 --grid 256 --block 256
__global__ void upsample(const float *x, float *y, int c, int h, int w) {
    int total = c * 2 * h * 2 * w;
    for (int idx = blockIdx.x * blockDim.x + threadIdx.x; idx < total; idx += blockDim.x * gridDim.x) {
        int j = idx % (2 * w);
        int i = idx / (2 * w) % (2 * h);
        int k = idx / (2 * w * 2 * h);
        y[idx] = x[(k * h + i / 2) * w + j / 2];
    }
}
