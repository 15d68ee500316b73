// CHECK loops.c:dgemm_acc --where "M % 64 == 0 && N % 16 == 0 && K % 16 == 0" --grid "N / 16, M / 64" --block 16,16
__global__ __launch_bounds__(256, 2) void dgemm_rows(int M, int N, int K, double alpha, const double *__restrict__ A, const double *__restrict__ B, double *C) {
    __shared__ double bs[16][16];
    const int col = blockIdx.x * 16 + threadIdx.x;
    const int row0 = blockIdx.y * 64 + threadIdx.y;
    double acc[4];
    for (int r = 0; r < 4; r++) acc[r] = C[(row0 + 16 * r) * N + col];
    for (int kk = 0; kk < K; kk += 16) {
        bs[threadIdx.y][threadIdx.x] = B[(kk + threadIdx.y) * N + col];
        __syncthreads();
        for (int k = 0; k < 16; k++) {
            double b = bs[k][threadIdx.x];
#pragma unroll
            for (int r = 0; r < 4; r++) acc[r] += alpha * A[(row0 + 16 * r) * K + kk + k] * b;
        }
        __syncthreads();
    }
#pragma unroll
    for (int r = 0; r < 4; r++) C[(row0 + 16 * r) * N + col] = acc[r];
}
