// CHECK loops.c:batched_gemm_rect --grid "(N + 15) / 16, (M + 15) / 16, batch" --block 16,16
template <int TILE>
__global__ void bmm(const float *A, const float *B, float *C, int batch, int M, int N, int K) {
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    const float *a = A + blockIdx.z * M * K;
    const float *b = B + blockIdx.z * K * N;
    float *c = C + blockIdx.z * M * N;
    int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;
    for (int t = 0; t < (K + TILE - 1) / TILE; t++) {
        int ak = t * TILE + threadIdx.x, bk = t * TILE + threadIdx.y;
        As[threadIdx.y][threadIdx.x] = (row < M && ak < K) ? a[row * K + ak] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] = (bk < K && col < N) ? b[bk * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++) sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }
    if (row < M && col < N) c[row * N + col] = sum;
}
template __global__ void bmm<16>(const float *, const float *, float *, int, int, int, int);
