// CHECK loops.c:flip_columns --grid "(m + 31) / 32, (n + 7) / 8" --block 32,8
__global__ void flip(const float *x, float *y, int n, int m) {
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= n || j >= m) return;
    y[i * m + (m - 1 - j)] = x[i * m + j];
}
