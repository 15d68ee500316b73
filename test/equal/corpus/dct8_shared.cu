// CHECK loops.c:dct_rows --grid "(n + 15) / 16" --block 8,16 --bind src=x,coef=c,dst=y
__global__ void dct8(const float *src, const float *coef, float *dst, int n) {
    __shared__ float row[16][8 + 1];
    __shared__ float c[8][8];
    const int k = threadIdx.x, r = threadIdx.y, i = blockIdx.x * 16 + r;
    if (r < 8) c[r][k] = coef[r * 8 + k];
    row[r][k] = i < n ? src[i * 8 + k] : 0.0f;
    __syncthreads();
    float s = 0.0f;
#pragma unroll
    for (int j = 0; j < 8; j++) s += row[r][j] * c[k][j];
    if (i < n) dst[i * 8 + k] = s;
}
