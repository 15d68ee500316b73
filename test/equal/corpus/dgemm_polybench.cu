// CHECK loops.c:dgemm --grid "(N + 31) / 32, (M + 7) / 8" --block 32,8
typedef double DATA_TYPE;
__global__ void gemm_kernel(int M, int N, int K, DATA_TYPE *A, DATA_TYPE *B, DATA_TYPE *C) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if ((i < M) && (j < N)) {
        int k;
        for (k = 0; k < K; k++) {
            C[i * N + j] += A[i * K + k] * B[k * N + j];
        }
    }
}
