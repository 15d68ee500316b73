// CHECK loops.c:gemm --kernel "gemm_guarded<16>" --grid "(n + 15) / 16, (m + 15) / 16" --block 16,16
// FAULTS 6
template <int BS>
__global__ void gemm_guarded(int M, int N, int K, float alpha, const float *A, const float *B, float beta, float *C) {
    __shared__ float As[BS][BS];
    __shared__ float Bs[BS][BS];
    const unsigned ty = threadIdx.y, tx = threadIdx.x;
    const unsigned y = blockIdx.y * BS + ty, x = blockIdx.x * BS + tx;
    float tmp = 0.0f;
    for (int bk = 0; bk < K; bk += BS) {
#ifdef FAULT_1
        As[ty][tx] = (y < M && bk + tx < N) ? A[y * K + bk + tx] : 0.0f;
#else
        As[ty][tx] = (y < M && bk + tx < K) ? A[y * K + bk + tx] : 0.0f;
#endif
        Bs[ty][tx] = (bk + ty < K && x < N) ? B[(bk + ty) * N + x] : 0.0f;
        __syncthreads();
        for (int k = 0; k < BS; ++k) tmp += As[ty][k] * Bs[k][tx];
#ifndef FAULT_2
        __syncthreads();
#endif
    }
#ifdef FAULT_3
    if (y < M && x < N) C[y * N + x] = alpha * tmp + C[y * N + x];
#elif defined FAULT_4
    if (y < M && x < N) C[y * N + x] = alpha * (tmp + beta * C[y * N + x]);
#elif defined FAULT_5
    if (y < N && x < M) C[y * N + x] = alpha * tmp + beta * C[y * N + x];
#elif defined FAULT_6
    if (y < M && x < N) C[y * M + x] = alpha * tmp + beta * C[y * N + x];
#else
    if (y < M && x < N) C[y * N + x] = alpha * tmp + beta * C[y * N + x];
#endif
}
template __global__ void gemm_guarded<16>(int, int, int, float, const float *, const float *, float, float *);
