// CHECK loops.c:batched_gemm --grid "(n + 15) / 16, (n + 15) / 16, batch" --block 16,16
__global__ void bmm(const float *A, const float *B, float *C, int n) {
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    int b = blockIdx.z;
    if (row < n && col < n) {
        float sum = 0.0f;
        for (int k = 0; k < n; ++k) sum += A[b * n * n + row * n + k] * B[b * n * n + k * n + col];
        C[b * n * n + row * n + col] = sum;
    }
}
