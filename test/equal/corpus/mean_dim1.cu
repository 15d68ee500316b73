// CHECK loops.c:mean_dim1 --grid "(B * N + 255) / 256" --block 256
__global__ void mean_kernel(const float *x, float *y, int B, int M, int N) {
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx < B * N) {
        int b = idx / N;
        int n = idx % N;
        float sum = 0.0f;
        for (int m = 0; m < M; ++m) sum += x[b * M * N + m * N + n];
        y[idx] = sum / M;
    }
}
