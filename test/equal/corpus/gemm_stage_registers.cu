// CHECK loops.c:gemm --where "M % 16 == 0 && N % 16 == 0 && K % 16 == 0 && K >= 16" --grid "N / 16, M / 16" --block 16,16
__global__ void gemm_db(int M, int N, int K, const float *A, const float *B, float *C) {
    __shared__ float sA[2][16][16];
    __shared__ float sB[2][16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 16 + ty;
    int col = blockIdx.x * 16 + tx;
    int write_stage = 0;
    float rA = A[row * K + tx];
    float rB = B[ty * N + col];
    sA[write_stage][ty][tx] = rA;
    sB[write_stage][ty][tx] = rB;
    __syncthreads();
    float acc = 0.f;
    for (int k0 = 16; k0 < K; k0 += 16) {
        rA = A[row * K + k0 + tx];
        rB = B[(k0 + ty) * N + col];
        for (int k = 0; k < 16; k++) acc += sA[write_stage][ty][k] * sB[write_stage][k][tx];
        write_stage ^= 1;
        sA[write_stage][ty][tx] = rA;
        sB[write_stage][ty][tx] = rB;
        __syncthreads();
    }
    for (int k = 0; k < 16; k++) acc += sA[write_stage][ty][k] * sB[write_stage][k][tx];
    C[row * N + col] = acc;
}
