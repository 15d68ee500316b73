// CHECK loops.c:conv_transpose2d --grid "(2 * W + 15) / 16, (2 * H + 15) / 16, K" --block "16, 16"
__global__ void conv_transpose2d_s2(const float *x, const float *w, float *y, int C, int K, int H, int W) {
    int ow = blockIdx.x * blockDim.x + threadIdx.x;
    int oh = blockIdx.y * blockDim.y + threadIdx.y;
    int k = blockIdx.z;
    int OH = H * 2, OW = W * 2;
    if (ow >= OW || oh >= OH) return;
    int ih = oh / 2, kh = oh % 2;
    int iw = ow / 2, kw = ow % 2;
    float acc = 0.0f;
    for (int c = 0; c < C; ++c)
        acc += x[(c * H + ih) * W + iw] * w[((c * K + k) * 2 + kh) * 2 + kw];
    y[(k * OH + oh) * OW + ow] = acc;
}
