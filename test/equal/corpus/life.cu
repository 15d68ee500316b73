// CHECK loops.c:life --grid "(w + 15) / 16, (h + 15) / 16" --block 16,16
__global__ void life(const int *in, int *out, int h, int w) {
    int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
    if (i > 0 && i < h - 1 && j > 0 && j < w - 1) {
        int n = in[(i - 1) * w + j - 1] + in[(i - 1) * w + j] + in[(i - 1) * w + j + 1] + in[i * w + j - 1] +
                in[i * w + j + 1] + in[(i + 1) * w + j - 1] + in[(i + 1) * w + j] + in[(i + 1) * w + j + 1];
        out[i * w + j] = (n == 3 || (n == 2 && in[i * w + j]));
    }
}
