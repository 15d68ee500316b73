// CHECK loops.c:matmul --where "n % 32 == 0" --grid "n / 32, n / 32" --block 32,32
#define TILE 32
__global__ void gemm_double_buffered(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int n) {
    __shared__ float As[2][TILE][TILE];
    __shared__ float Bs[2][TILE][TILE + 1];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    const int numTiles = n / TILE;
    int cur = 0;
    As[cur][ty][tx] = A[row * n + tx];
    Bs[cur][ty][tx] = B[ty * n + col];
    __syncthreads();
    float sum = 0.0f;
    for (int t = 0; t < numTiles; ++t) {
        int nxt = 1 - cur;
        if (t + 1 < numTiles) {
            As[nxt][ty][tx] = A[row * n + (t + 1) * TILE + tx];
            Bs[nxt][ty][tx] = B[((t + 1) * TILE + ty) * n + col];
        }
        #pragma unroll
        for (int k = 0; k < TILE; ++k) sum += As[cur][ty][k] * Bs[cur][k][tx];
        __syncthreads();
        cur = nxt;
    }
    C[row * n + col] = sum;
}
