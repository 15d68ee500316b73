// CHECK loops.c:bias_residual_relu --grid "(m + 31) / 32, (n + 7) / 8" --block 32,8
__global__ void fused(const float *x, const float *b, const float *res, float *y, int n, int m) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < m) {
        float v = x[i * m + j] + b[j];
        v += res[i * m + j];
        y[i * m + j] = v > 0.0f ? v : 0.0f;
    }
}
