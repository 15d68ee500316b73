// CHECK loops.c:gemm_splitk --permit reassociate --where "K % 64 == 0"
__global__ void splitk(const float *A, const float *B, float *C, int M, int N, int K) {
    int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
    if (i >= M || j >= N) return;
    float s = 0.f;
    int k0 = blockIdx.z * 64;
    for (int k = k0; k < k0 + 64; k++) s += A[i * K + k] * B[k * N + j];
    atomicAdd(&C[i * N + j], s);
}
void gemm(int M, int N, int K, const float *A, const float *B, float *C) {
    cudaMemset(C, 0, sizeof(float) * M * N);
    dim3 grid((N + 15) / 16, (M + 15) / 16, K / 64), block(16, 16);
    splitk<<<grid, block>>>(A, B, C, M, N, K);
}
