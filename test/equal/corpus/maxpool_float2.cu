// CHECK loops.c:maxpool_too --grid "(w + 31) / 32, (h + 3) / 4" --block 32,4
__global__ void maxpool(int h, int w, const float *x, float *y)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= h || j >= w) return;
    const float2 *p = (const float2 *)(x + 2 * i * 2 * w);
    float2 a = p[j], b = p[w + j];
    y[i * w + j] = fmaxf(fmaxf(fmaxf(a.x, a.y), b.x), b.y);
}
