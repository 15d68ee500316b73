// CHECK loops.c:gemm --permit reassociate --where "K % 4 == 0"
__global__ void partial_gemm(int M, int N, int K, const float *A, const float *B, float *part) {
    int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    int chunk = K / 4, begin = blockIdx.z * chunk;
    if (row >= M || col >= N) return;
    float s = 0.0f;
    for (int k = begin; k < begin + chunk; k++) s += A[row * K + k] * B[k * N + col];
    part[(blockIdx.z * M + row) * N + col] = s;
}
__global__ void add_parts(int M, int N, const float *part, float *C) {
    int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    if (row >= M || col >= N) return;
    float s = 0.0f;
    for (int z = 0; z < 4; z++) s += part[(z * M + row) * N + col];
    C[row * N + col] = s;
}
void gemm(int M, int N, int K, const float *A, const float *B, float *C) {
    float *part;
    cudaMalloc(&part, 4 * M * N * sizeof(float));
    dim3 block(16, 16);
    partial_gemm<<<dim3((N + 15) / 16, (M + 15) / 16, 4), block>>>(M, N, K, A, B, part);
    add_parts<<<dim3((N + 15) / 16, (M + 15) / 16), block>>>(M, N, part, C);
    cudaFree(part);
}
