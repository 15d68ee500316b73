// CHECK loops.c:diag_mul --grid "(N * M + 255) / 256" --block 256
__global__ void diag_matmul(const float *A, const float *B, float *C, const int64_t N, const int64_t M) {
    const int64_t idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx < N * M) {
        const int64_t row = idx / M;
        C[idx] = A[row] * B[idx];
    }
}
