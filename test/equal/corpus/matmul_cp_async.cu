// CHECK loops.c:matmul --where "n % 16 == 0" --grid "n / 16, n / 16" --block 16,16
#include <cuda_pipeline.h>
__global__ void matmul_async(const float *A, const float *B, float *C, int n) {
    __shared__ float As[2][16][16], Bs[2][16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
    float acc = 0.0f;
    __pipeline_memcpy_async(&As[0][ty][tx], &A[row * n + tx], sizeof(float));
    __pipeline_memcpy_async(&Bs[0][ty][tx], &B[ty * n + col], sizeof(float));
    __pipeline_commit();
    for (int t = 0; t < n / 16; t++) {
        if (t + 1 < n / 16) {
            __pipeline_memcpy_async(&As[(t + 1) % 2][ty][tx], &A[row * n + (t + 1) * 16 + tx], sizeof(float));
            __pipeline_memcpy_async(&Bs[(t + 1) % 2][ty][tx], &B[((t + 1) * 16 + ty) * n + col], sizeof(float));
        }
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        for (int k = 0; k < 16; k++) acc += As[t % 2][ty][k] * Bs[t % 2][k][tx];
        __syncthreads();
    }
    C[row * n + col] = acc;
}
