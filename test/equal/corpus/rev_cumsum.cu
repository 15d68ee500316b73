// CHECK loops.c:rev_cumsum --grid "(n + 127) / 128" --block 128
__global__ void reverse_cumsum(const float *x, float *y, int n, int m) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;
    float acc = 0.f;
    for (int j = m - 1; j >= 0; --j) {
        acc += x[row * m + j];
        y[row * m + j] = acc;
    }
}
