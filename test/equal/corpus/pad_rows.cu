// CHECK loops.c:pad_rows --grid "(m + 2 + 63) / 64, n" --block 64
__global__ void pad(const float *x, float *y, int m) {
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y, w = m + 2;
    if (j >= w) return;
    float v = 0.0f;
    if (j > 0 && j <= m) v = x[i * m + j - 1];
    y[i * w + j] = v;
}
