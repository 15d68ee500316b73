// CHECK loops.c:cumprod --grid "(n + 127) / 128" --block 128
__global__ void cumprod_kernel(const float *x, float *y, int n, int m) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n) {
        float prod = 1.0f;
        for (int j = 0; j < m; ++j) {
            prod *= x[row * m + j];
            y[row * m + j] = prod;
        }
    }
}
