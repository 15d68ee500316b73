// CHECK loops.c:matvec --grid "(n + 127) / 128" --block 128
__global__ void gemv(const float *A, const float *x, float *y, int n, int m) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n) {
        float dot = 0.f;
        for (int j = 0; j < m; j++) dot += A[row * m + j] * x[j];
        y[row] = dot;
    }
}
