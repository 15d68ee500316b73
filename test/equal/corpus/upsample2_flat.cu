// CHECK loops.c:upsample_twice --grid "(C * H * W * 4 + 255) / 256" --block 256
__global__ void upsample_nearest2d(const float *x, float *y, int C, int H, int W) {
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    int OW = W * 2, OH = H * 2;
    if (idx >= C * OH * OW) return;
    int ow = idx % OW, oh = (idx / OW) % OH, c = idx / (OW * OH);
    y[idx] = x[(c * H + oh / 2) * W + ow / 2];
}
