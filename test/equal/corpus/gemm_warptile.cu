// CHECK loops.c:gemm --permit reassociate --where "M % 64 == 0 && N % 64 == 0 && K % 8 == 0" --grid "N / 64, M / 64" --block 128
// four warps, 32 x 32 each; lanes 8 x 4, 4 x 8 results each
__global__ void __launch_bounds__(128) sgemm_warptiling(int M, int N, int K, const float *A, const float *B, float *C) {
    __shared__ float As[8][64];
    __shared__ float Bs[8][64];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int wr = warp / 2, wc = warp % 2;
    const int tr = lane / 4, tc = lane % 4;
    A += blockIdx.y * 64 * K;
    B += blockIdx.x * 64;
    C += blockIdx.y * 64 * N + blockIdx.x * 64;
    const int ar = threadIdx.x / 8, ac = threadIdx.x % 8;
    const int br = threadIdx.x / 64, bc = threadIdx.x % 64;
    float acc[4][8] = {0.0f};
    float ra[4], rb[8];
    for (int k0 = 0; k0 < K; k0 += 8) {
        for (int o = 0; o < 64; o += 16) As[ac][ar + o] = A[(ar + o) * K + ac];
        for (int o = 0; o < 8; o += 2) Bs[br + o][bc] = B[(br + o) * N + bc];
        __syncthreads();
        for (int k = 0; k < 8; ++k) {
            for (int i = 0; i < 4; ++i) ra[i] = As[k][wr * 32 + tr * 4 + i];
            for (int j = 0; j < 8; ++j) rb[j] = Bs[k][wc * 32 + tc * 8 + j];
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 8; ++j) acc[i][j] += ra[i] * rb[j];
        }
        __syncthreads();
        A += 8;
        B += 8 * N;
    }
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 8; ++j) C[(wr * 32 + tr * 4 + i) * N + wc * 32 + tc * 8 + j] = acc[i][j];
}
