// CHECK loops.c:maxpool3_pad --where "H >= 1 && W >= 1"
__global__ void max_pool2d_kernel(const float *input, float *output, int C, int H, int W, int OH, int OW) {
    int ow = blockIdx.x * blockDim.x + threadIdx.x;
    int oh = blockIdx.y * blockDim.y + threadIdx.y;
    int c = blockIdx.z;
    if (ow >= OW || oh >= OH) return;
    float m = -INFINITY;
    int hs = oh * 2 - 1, ws = ow * 2 - 1;
    for (int kh = 0; kh < 3; ++kh) {
        int ih = hs + kh;
        if (ih < 0 || ih >= H) continue;
        for (int kw = 0; kw < 3; ++kw) {
            int iw = ws + kw;
            if (iw >= 0 && iw < W) m = fmaxf(m, input[(c * H + ih) * W + iw]);
        }
    }
    output[(c * OH + oh) * OW + ow] = m;
}
void maxpool3_pad(int C, int H, int W, const float *x, float *y) {
    int OH = (H - 1) / 2 + 1, OW = (W - 1) / 2 + 1;
    dim3 block(16, 16), grid((OW + 15) / 16, (OH + 15) / 16, C);
    max_pool2d_kernel<<<grid, block>>>(x, y, C, H, W, OH, OW);
}
