// CHECK loops.c:im2col_stride --where "stride >= 1 && pad >= 0 && K >= 1" --grid "(C * OH * OW + 255) / 256" --block 256
__global__ void im2col_kernel(const float *im, float *col, int C, int H, int W, int K, int OH, int OW,
                              int stride, int pad) {
    int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= C * OH * OW) return;
    int w_out = index % OW;
    int h_out = (index / OW) % OH;
    int c = index / (OW * OH);
    for (int i = 0; i < K; ++i)
        for (int j = 0; j < K; ++j) {
            int h = h_out * stride - pad + i;
            int w = w_out * stride - pad + j;
            col[(((c * K + i) * K + j) * OH + h_out) * OW + w_out] =
                (h >= 0 && w >= 0 && h < H && w < W) ? im[(c * H + h) * W + w] : 0.0f;
        }
}
