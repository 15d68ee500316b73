// CHECK loops.c:tril --grid "(n + 15) / 16, (n + 15) / 16" --block 16,16
__global__ void tril(const float *x, float *y, int n) {
    int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    if (row < n && col < n) y[row * n + col] = (col <= row) ? x[row * n + col] : 0.0f;
}
