// CHECK loops.c:maxpool_params --where "stride >= 1 && pad >= 0" --grid "(N * C * OH * OW + 255) / 256" --block 256
__global__ void maxpool(const float *in, float *out, int N, int C, int H, int W, int OH, int OW, int K,
                        int stride, int pad) {
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx >= N * C * OH * OW) return;
    int ow = idx % OW;
    int oh = (idx / OW) % OH;
    int c = (idx / (OW * OH)) % C;
    int n = idx / (OW * OH * C);
    float best = -INFINITY;
    for (int kh = 0; kh < K; kh++) {
        for (int kw = 0; kw < K; kw++) {
            int ih = oh * stride - pad + kh;
            int iw = ow * stride - pad + kw;
            if (ih >= 0 && ih < H && iw >= 0 && iw < W) {
                float v = in[((n * C + c) * H + ih) * W + iw];
                best = fmaxf(best, v);
            }
        }
    }
    out[idx] = best;
}
