// CHECK loops.c:bilinear_half --grid "(w + 31) / 32, (h + 7) / 8" --block 32,8
__global__ void downsample(const float *__restrict__ x, float *__restrict__ y, int h, int w) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < h && j < w) {
        const float2 *top = (const float2 *)(x + 2 * i * (2 * w));
        const float2 *bot = (const float2 *)(x + (2 * i + 1) * (2 * w));
        float2 a = top[j], b = bot[j];
        y[i * w + j] = 0.25f * (a.x + a.y + b.x + b.y);
    }
}
