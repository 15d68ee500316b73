// CHECK loops.c:upsample2_too --grid "(w + 15) / 16, (h + 15) / 16" --block 16,16
__global__ void upsample(int h, int w, const float *x, float *y)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= h || j >= w) return;
    float v = x[i * w + j];
    for (int di = 0; di < 2; di++)
        for (int dj = 0; dj < 2; dj++) y[(2 * i + di) * 2 * w + 2 * j + dj] = v;
}
