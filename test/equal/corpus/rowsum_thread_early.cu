// CHECK loops.c:rowsum_too --grid "(n + 255) / 256" --block 256
__global__ void rowsum(int n, int m, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float *p = x + i * m, *end = p + m;
    float s = 0;
    while (p != end) s += *p++;
    y[i] = s;
}
