// CHECK loops.c:space_to_depth --grid "(C * 4 * H * W + 255) / 256" --block 256
__global__ void pixel_unshuffle(const float *x, float *y, int C, int H, int W) {
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    int total = C * 4 * H * W;
    if (idx >= total) return;
    int w = idx % W;
    int h = (idx / W) % H;
    int oc = idx / (W * H);
    int c = oc / 4, r = oc % 4;
    y[idx] = x[(c * 2 * H + h * 2 + r / 2) * (2 * W) + w * 2 + r % 2];
}
