// CHECK loops.c:conv_nchw --grid "(w - 2 + 15) / 16, (h - 2 + 15) / 16, n * co" --block 16,16 --where "h >= 3 && w >= 3"
__global__ void conv2d_forward(const float *x, const float *f, float *y, int n, int ci, int co, int h, int w) {
    int ow = blockIdx.x * blockDim.x + threadIdx.x;
    int oh = blockIdx.y * blockDim.y + threadIdx.y;
    int b = blockIdx.z / co, o = blockIdx.z % co;
    int OH = h - 2, OW = w - 2;
    if (oh < OH && ow < OW) {
        float acc = 0.0f;
        for (int c = 0; c < ci; c++)
            for (int p = 0; p < 3; p++)
                for (int q = 0; q < 3; q++)
                    acc += x[((b * ci + c) * h + oh + p) * w + ow + q] * f[((o * ci + c) * 3 + p) * 3 + q];
        y[((b * co + o) * OH + oh) * OW + ow] = acc;
    }
}
