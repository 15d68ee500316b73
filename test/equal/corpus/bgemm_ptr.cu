// CHECK loops.c:bgemm --permit reassociate --grid "(N + 15) / 16, (M + 15) / 16, B" --block "16, 16"
#define BLOCK_SIZE 16
__global__ void bmm(const float *A, const float *W, float *C, int M, int N, int K) {
    A += (size_t)blockIdx.z * M * K;
    W += (size_t)blockIdx.z * K * N;
    C += (size_t)blockIdx.z * M * N;
    __shared__ float As[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float Ws[BLOCK_SIZE][BLOCK_SIZE];
    int row = blockIdx.y * BLOCK_SIZE + threadIdx.y;
    int col = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    float acc = 0.0f;
    for (int t = 0; t < (K + BLOCK_SIZE - 1) / BLOCK_SIZE; ++t) {
        int a_col = t * BLOCK_SIZE + threadIdx.x, w_row = t * BLOCK_SIZE + threadIdx.y;
        if (row < M && a_col < K) As[threadIdx.y][threadIdx.x] = A[row * K + a_col];
        else As[threadIdx.y][threadIdx.x] = 0.0f;
        if (w_row < K && col < N) Ws[threadIdx.y][threadIdx.x] = W[w_row * N + col];
        else Ws[threadIdx.y][threadIdx.x] = 0.0f;
        __syncthreads();
        for (int k = 0; k < BLOCK_SIZE; ++k) acc = fmaf(As[threadIdx.y][k], Ws[k][threadIdx.x], acc);
        __syncthreads();
    }
    if (row < M && col < N) C[row * N + col] = acc;
}
