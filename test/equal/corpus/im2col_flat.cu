// CHECK loops.c:im2col --where "h >= 3 && w >= 3" --grid "(c * (h - 2) * (w - 2) + 255) / 256" --block 256
__global__ void im2col_gpu(const float *x, float *col, int c, int h, int w) {
    int oh = h - 2, ow = w - 2;
    int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= c * oh * ow) return;
    int wo = index % ow;
    int hi = index / ow;
    int ho = hi % oh;
    int k = hi / oh;
    float *out = col + (k * 9 * oh + ho) * ow + wo;
    const float *in = x + (k * h + ho) * w + wo;
    for (int p = 0; p < 3; ++p)
        for (int q = 0; q < 3; ++q) {
            *out = in[p * w + q];
            out += oh * ow;
        }
}
