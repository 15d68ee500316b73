// CHECK loops.c:gemm_ab --grid "(N + 31) / 32, (M + 31) / 32" --block "16, 16"
__global__ void sgemm_2x2(int M, int N, int K, float alpha, float beta, const float *A, const float *B, float *C) {
    int row = (blockIdx.y * blockDim.y + threadIdx.y) * 2, col = (blockIdx.x * blockDim.x + threadIdx.x) * 2;
    float sum[2][2] = {{0, 0}, {0, 0}};
    for (int k = 0; k < K; k++) {
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++)
                if (row + i < M && col + j < N) sum[i][j] += A[(row + i) * K + k] * B[k * N + col + j];
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            if (row + i < M && col + j < N)
                C[(row + i) * N + col + j] = alpha * sum[i][j] + beta * C[(row + i) * N + col + j];
}
