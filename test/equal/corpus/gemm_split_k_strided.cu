// CHECK loops.c:gemm --permit reassociate
__global__ void part_gemm(int M, int N, int K, const float *A, const float *B, float *part) {
    int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y, z = blockIdx.z;
    if (i < M && j < N) {
        float s = 0.0f;
        for (int k = z; k < K; k += 8) s += A[i * K + k] * B[k * N + j];
        part[(z * M + i) * N + j] = s;
    }
}
__global__ void reduce_parts(int M, int N, const float *part, float *C) {
    int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
    if (i < M && j < N) {
        float s = 0.0f;
        for (int z = 0; z < 8; z++) s += part[(z * M + i) * N + j];
        C[i * N + j] = s;
    }
}
void gemm(int M, int N, int K, const float *A, const float *B, float *C) {
    float *part;
    cudaMalloc((void **)&part, sizeof(float) * 8 * M * N);
    dim3 b(16, 16), g((N + 15) / 16, (M + 15) / 16, 8), g2((N + 15) / 16, (M + 15) / 16);
    part_gemm<<<g, b>>>(M, N, K, A, B, part);
    reduce_parts<<<g2, b>>>(M, N, part, C);
}
