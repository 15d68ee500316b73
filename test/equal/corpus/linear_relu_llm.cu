// CHECK loops.c:linear_relu --grid "(N + 15) / 16, (M + 15) / 16" --block 16,16
// Fused linear layer + bias + ReLU
__global__ void linear_relu_kernel(const float *x, const float *w, const float *bias, float *y, int M, int N, int K) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < M && col < N) {
        float acc = 0.0f;
        for (int k = 0; k < K; ++k) {
            acc += x[row * K + k] * w[col * K + k];
        }
        acc += bias[col];
        y[row * N + col] = fmaxf(acc, 0.0f);
    }
}
