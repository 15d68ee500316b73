// CHECK loops.c:trmv --grid "(n + 63) / 64" --block 64
__global__ void trmv(int n, const float *A, const float *x, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float s = 0.0f;
        for (int j = 0; j <= i; j++) s += A[i * n + j] * x[j];
        y[i] = s;
    }
}
