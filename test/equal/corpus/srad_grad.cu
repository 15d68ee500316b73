// CHECK loops.c:srad_grad --grid "(m + 15) / 16, (n + 15) / 16" --block 16,16
__global__ void srad(int n, int m, const float *J, float *dN, float *dW)
{
    __shared__ float t[16][16];
    int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
    int i = by * 16 + ty, j = bx * 16 + tx;
    bool in = i < n && j < m;
    if (in) t[ty][tx] = J[i * m + j];
    __syncthreads();
    if (!in) return;
    float c = t[ty][tx];
    float north = ty ? t[ty - 1][tx] : J[max(i - 1, 0) * m + j];
    float west = tx ? t[ty][tx - 1] : J[i * m + (j ? j - 1 : 0)];
    dN[i * m + j] = north - c;
    dW[i * m + j] = west - c;
}
