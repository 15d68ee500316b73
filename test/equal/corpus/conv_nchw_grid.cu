// CHECK loops.c:conv_nchw --grid "co, h - 2, n" --block 64 --where "h >= 3 && w >= 3"
__global__ void conv_row(const float *x, const float *f, float *y, int n, int ci, int co, int h, int w) {
    int o = blockIdx.x, i = blockIdx.y, b = blockIdx.z;
    for (int j = threadIdx.x; j < w - 2; j += blockDim.x) {
        float s = 0.0f;
        for (int c = 0; c < ci; c++)
            for (int p = 0; p < 3; p++)
                for (int q = 0; q < 3; q++)
                    s += x[((b * ci + c) * h + i + p) * w + j + q] * f[((o * ci + c) * 3 + p) * 3 + q];
        y[((b * co + o) * (h - 2) + i) * (w - 2) + j] = s;
    }
}
