// CHECK loops.c:conv2d_nchw --where "h >= 3 && w >= 3" --grid "(n * co * (h - 2) * (w - 2) + 255) / 256" --block 256
__global__ void conv2d_kernel(const float *x, const float *f, const float *bias, float *y, int n, int ci, int co, int h, int w) {
    const int oh = h - 3 + 1, ow = w - 3 + 1;
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    int total = n * co * oh * ow;
    if (idx >= total) return;
    int j = idx % ow;
    int i = (idx / ow) % oh;
    int o = (idx / (ow * oh)) % co;
    int b = idx / (ow * oh * co);
    float acc = bias[o];
    for (int c = 0; c < ci; ++c)
        for (int p = 0; p < 3; ++p)
            for (int q = 0; q < 3; ++q)
                acc += x[((b * ci + c) * h + i + p) * w + j + q] * f[((o * ci + c) * 3 + p) * 3 + q];
    y[idx] = acc;
}
