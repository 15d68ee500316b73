// CHECK loops.c:gemm --where "M % 64 == 0 && N % 64 == 0 && K % 8 == 0" --grid "N / 64, M / 64" --block 128
#define BM 64
#define BN 64
#define BK 8
__global__ void sgemmVectorize(int M, int N, int K, float *A, float *B, float *C) {
    __shared__ float As[BM * BK], Bs[BK * BN];
    const int threadCol = threadIdx.x % 16, threadRow = threadIdx.x / 16;
    A += blockIdx.y * BM * K;
    B += blockIdx.x * BN;
    C += blockIdx.y * BM * N + blockIdx.x * BN;
    const int innerRowA = threadIdx.x / 2, innerColA = threadIdx.x % 2;
    const int innerRowB = threadIdx.x / 16, innerColB = threadIdx.x % 16;
    float acc[8][4] = {0.0f};
    for (int bk = 0; bk < K; bk += BK) {
        float4 tmp = reinterpret_cast<float4 *>(&A[innerRowA * K + innerColA * 4])[0];
        As[(innerColA * 4 + 0) * BM + innerRowA] = tmp.x;
        As[(innerColA * 4 + 1) * BM + innerRowA] = tmp.y;
        As[(innerColA * 4 + 2) * BM + innerRowA] = tmp.z;
        As[(innerColA * 4 + 3) * BM + innerRowA] = tmp.w;
        reinterpret_cast<float4 *>(&Bs[innerRowB * BN + innerColB * 4])[0] =
            reinterpret_cast<float4 *>(&B[innerRowB * N + innerColB * 4])[0];
        __syncthreads();
        A += BK;
        B += BK * N;
        for (int k = 0; k < BK; ++k)
            for (int i = 0; i < 8; ++i)
                for (int j = 0; j < 4; ++j)
                    acc[i][j] += As[k * BM + threadRow * 8 + i] * Bs[k * BN + threadCol * 4 + j];
        __syncthreads();
    }
    for (int i = 0; i < 8; ++i) {
        float4 tmp;
        tmp.x = acc[i][0];
        tmp.y = acc[i][1];
        tmp.z = acc[i][2];
        tmp.w = acc[i][3];
        reinterpret_cast<float4 *>(&C[(threadRow * 8 + i) * N + threadCol * 4])[0] = tmp;
    }
}
