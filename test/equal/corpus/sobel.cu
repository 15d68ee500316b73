// CHECK loops.c:sobel --grid "(w + 15) / 16, (h + 15) / 16" --block 16,16
__global__ void sobel(const float *in, float *out, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
    float gx = in[(y - 1) * w + x + 1] + 2.0f * in[y * w + x + 1] + in[(y + 1) * w + x + 1] - in[(y - 1) * w + x - 1] -
               2.0f * in[y * w + x - 1] - in[(y + 1) * w + x - 1];
    float gy = in[(y + 1) * w + x - 1] + 2.0f * in[(y + 1) * w + x] + in[(y + 1) * w + x + 1] - in[(y - 1) * w + x - 1] -
               2.0f * in[(y - 1) * w + x] - in[(y - 1) * w + x + 1];
    out[y * w + x] = sqrtf(gx * gx + gy * gy);
}
