// CHECK loops.c:matvec_t --grid "(m + 255) / 256" --block 256
__global__ void gemv_t(const float *A, const float *x, float *y, int n, int m) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= m) return;
    float s = 0.0f;
    for (int i = 0; i < n; i++) s += A[i * m + j] * x[i];
    y[j] = s;
}
