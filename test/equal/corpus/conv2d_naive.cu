// CHECK loops.c:conv2d --grid "(w + 15) / 16, (h + 15) / 16" --block 16,16
__global__ void conv2d(const float *in, const float *k, float *out, int h, int w) {
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < h - 2 && j < w - 2) {
        float s = 0.0f;
        for (int p = 0; p < 3; p++)
            for (int q = 0; q < 3; q++) s += in[(i + p) * w + (j + q)] * k[p * 3 + q];
        out[i * w + j] = s;
    }
}
