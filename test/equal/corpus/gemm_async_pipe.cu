// CHECK loops.c:gemm_async_pipe --where "M % 16 == 0 && N % 16 == 0 && K % 16 == 0 && K >= 16" --grid "N / 16, M / 16" --block "16,16"
#include <cuda/pipeline>
__global__ void gemm_p(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ float sa[2][16][16], sb[2][16][16];
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
    int tx = threadIdx.x, ty = threadIdx.y, i = blockIdx.y * 16 + ty, j = blockIdx.x * 16 + tx;
    float acc = 0.f;
    pipe.producer_acquire();
    cuda::memcpy_async(&sa[0][ty][tx], &A[i * K + tx], sizeof(float), pipe);
    cuda::memcpy_async(&sb[0][ty][tx], &B[ty * N + j], sizeof(float), pipe);
    pipe.producer_commit();
    for (int t = 0; t < K / 16; t++) {
        if (t + 1 < K / 16) {
            pipe.producer_acquire();
            cuda::memcpy_async(&sa[(t + 1) % 2][ty][tx], &A[i * K + (t + 1) * 16 + tx], sizeof(float), pipe);
            cuda::memcpy_async(&sb[(t + 1) % 2][ty][tx], &B[((t + 1) * 16 + ty) * N + j], sizeof(float), pipe);
            pipe.producer_commit();
            cuda::pipeline_consumer_wait_prior<1>(pipe);
        } else {
            cuda::pipeline_consumer_wait_prior<0>(pipe);
        }
        __syncthreads();
        for (int k = 0; k < 16; k++) acc += sa[t % 2][ty][k] * sb[t % 2][k][tx];
        __syncthreads();
        pipe.consumer_release();
    }
    C[i * N + j] = acc;
}
