// CHECK loops.c:gemm_nt --grid "(N + 15) / 16, (M + 15) / 16" --block 16,16
__global__ void gemm_nt(int M, int N, int K, const float *A, const float *B, float *C) {
    __shared__ float As[16][17], Bs[16][17];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx, bcol = blockIdx.x * 16 + ty;
    float acc = 0.0f;
    for (int k0 = 0; k0 < K; k0 += 16) {
        As[ty][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;
        Bs[ty][tx] = bcol < N && k0 + tx < K ? B[bcol * K + k0 + tx] : 0.0f;
        __syncthreads();
        for (int k = 0; k < 16; k++) acc = fmaf(As[ty][k], Bs[tx][k], acc);
        __syncthreads();
    }
    if (row < M && col < N) C[row * N + col] = acc;
}
