// CHECK loops.c:sgemm_rect --where "M % 32 == 0 && N % 32 == 0 && K % 32 == 0 && K >= 32" --grid "N/32,M/32" --block 32,8 --kernel gemm_async2
#include <cuda_pipeline.h>
#define BM 32
#define BN 32
#define BK 32
__global__ void gemm_async2(int M, int N, int K, const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C)
{
    __shared__ float As[2][BM][BK];
    __shared__ float Bs[2][BK][BN];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;
    float acc[4] = {0.f, 0.f, 0.f, 0.f};
    auto load = [&](int stage, int k0) {
        for (int i = 0; i < 4; ++i) {
            int r = ty + 8 * i;
            __pipeline_memcpy_async(&As[stage][r][tx], &A[(row0 + r) * K + k0 + tx], sizeof(float));
            __pipeline_memcpy_async(&Bs[stage][r][tx], &B[(k0 + r) * N + col0 + tx], sizeof(float));
        }
        __pipeline_commit();
    };
    load(0, 0);
    const int tiles = K / BK;
    for (int t = 0; t < tiles; ++t) {
        if (t + 1 < tiles) {
            load((t + 1) & 1, (t + 1) * BK);
            __pipeline_wait_prior(1);
        } else {
            __pipeline_wait_prior(0);
        }
        __syncthreads();
        const int s = t & 1;
#pragma unroll
        for (int k = 0; k < BK; ++k) {
            float b = Bs[s][k][tx];
            for (int i = 0; i < 4; ++i) acc[i] += As[s][ty + 8 * i][k] * b;
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i)
        C[(row0 + ty + 8 * i) * N + col0 + tx] = acc[i];
}
