// CHECK loops.c:matmul --grid "(n + blockDim.x - 1) / blockDim.x, (n + blockDim.y - 1) / blockDim.y"
#include <cassert>
#define TILE 8
__global__ void matmul(int n, const float *A, const float *B, float *C)
{
    assert(blockDim.x == TILE && blockDim.y == TILE);
    __shared__ float a[TILE][TILE];
    __shared__ float b[TILE][TILE];
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int t = 0; t * TILE < n; ++t) {
        int k = t * TILE;
        a[threadIdx.y][threadIdx.x] = row < n && k + threadIdx.x < n ? A[row * n + k + threadIdx.x] : 0.0f;
        b[threadIdx.y][threadIdx.x] = col < n && k + threadIdx.y < n ? B[(k + threadIdx.y) * n + col] : 0.0f;
        __syncthreads();
        for (int i = 0; i < TILE; ++i) sum += a[threadIdx.y][i] * b[i][threadIdx.x];
        __syncthreads();
    }
    if (row < n && col < n) C[row * n + col] = sum;
}
