// CHECK loops.c:conv2d_params --where "stride >= 1 && pad >= 0" --grid "(OW + 15) / 16, (OH + 15) / 16, O" --block "16, 16"
__global__ void conv2d_kernel(const float *x, const float *w, float *y, int C, int H, int W, int O, int KH,
                              int KW, int OH, int OW, int stride, int pad) {
    int ow = blockIdx.x * blockDim.x + threadIdx.x;
    int oh = blockIdx.y * blockDim.y + threadIdx.y;
    int oc = blockIdx.z;
    if (ow >= OW || oh >= OH) return;
    float sum = 0.0f;
    for (int ic = 0; ic < C; ++ic)
        for (int kh = 0; kh < KH; ++kh)
            for (int kw = 0; kw < KW; ++kw) {
                int ih = oh * stride - pad + kh;
                int iw = ow * stride - pad + kw;
                if (ih >= 0 && ih < H && iw >= 0 && iw < W)
                    sum += x[(ic * H + ih) * W + iw] * w[((oc * C + ic) * KH + kh) * KW + kw];
            }
    y[(oc * OH + oh) * OW + ow] = sum;
}
