// CHECK loops.c:concat_rows --where "m >= 1 && k >= 1" --grid "(m + k + 127) / 128, n" --block 128
__global__ void concat(const float *a, const float *b, float *c, int m, int k) {
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y;
    int w = m + k;
    if (j < m) c[i * w + j] = a[i * m + j];
    else if (j < w) c[i * w + j] = b[i * k + j - m];
}
