// CHECK loops.c:gemm_tn --grid "(N + 15) / 16, (M + 15) / 16" --block 16,16
__global__ void gemm_tn(int M, int N, int K, const float *A, const float *B, float *C) {
    __shared__ float As[16][16], Bs[16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 16 + ty, arow = blockIdx.y * 16 + tx, col = blockIdx.x * 16 + tx;
    float acc = 0.0f;
    for (int k0 = 0; k0 < K; k0 += 16) {
        As[ty][tx] = arow < M && k0 + ty < K ? A[(k0 + ty) * M + arow] : 0.0f;
        Bs[ty][tx] = col < N && k0 + ty < K ? B[(k0 + ty) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < 16; k++) acc += As[k][ty] * Bs[k][tx];
        __syncthreads();
    }
    if (row < M && col < N) C[row * N + col] = acc;
}
