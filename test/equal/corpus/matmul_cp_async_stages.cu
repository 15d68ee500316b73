// CHECK loops.c:matmul --where "n % 16 == 0" --grid "n / 16, n / 16" --block 16,16
#include <cuda_pipeline.h>
#define STAGES 3
__global__ void mm(const float *A, const float *B, float *C, int n) {
    __shared__ float As[STAGES][16][16], Bs[STAGES][16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
    int tiles = n / 16;
    float acc = 0.0f;
    for (int s = 0; s < STAGES - 1; s++) {
        if (s < tiles) {
            __pipeline_memcpy_async(&As[s][ty][tx], &A[row * n + s * 16 + tx], 4);
            __pipeline_memcpy_async(&Bs[s][ty][tx], &B[(s * 16 + ty) * n + col], 4);
        }
        __pipeline_commit();
    }
    for (int t = 0; t < tiles; t++) {
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads();
        int f = t + STAGES - 1;
        if (f < tiles) {
            __pipeline_memcpy_async(&As[f % STAGES][ty][tx], &A[row * n + f * 16 + tx], 4);
            __pipeline_memcpy_async(&Bs[f % STAGES][ty][tx], &B[(f * 16 + ty) * n + col], 4);
        }
        __pipeline_commit();
        for (int k = 0; k < 16; k++) acc += As[t % STAGES][ty][k] * Bs[t % STAGES][k][tx];
    }
    C[row * n + col] = acc;
}
