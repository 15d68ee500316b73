// CHECK loops.c:avgpool3 --grid "(w + 15) / 16, (h + 15) / 16" --block 16,16
__global__ void avgpool(const float *x, float *y, int h, int w) {
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    int oh = h - 2, ow = w - 2;
    if (i < oh && j < ow) {
        float s = 0.0f;
        for (int p = 0; p < 3; p++)
            for (int q = 0; q < 3; q++) s += x[(i + p) * w + (j + q)];
        y[i * ow + j] = s / 9.0f;
    }
}
