// CHECK loops.c:gemm_ab --grid "(N + 15) / 16, (M + 15) / 16" --block "16,16"
template <typename T, int BS>
struct Tile { T v[BS][BS + 1]; };
template <typename T, int BS>
__global__ void gemm_k(int M, int N, int K, T alpha, const T *A, const T *B, T beta, T *C) {
    __shared__ T As[BS][BS + 1];
    __shared__ T Bs[BS][BS + 1];
    const int i = blockIdx.y * BS + threadIdx.y, j = blockIdx.x * BS + threadIdx.x;
    T acc = T(0);
    const int tiles = (K + BS - 1) / BS;
    for (int t = 0; t < tiles; ++t) {
        const int ka = t * BS + threadIdx.x, kb = t * BS + threadIdx.y;
        As[threadIdx.y][threadIdx.x] = (i < M && ka < K) ? A[i * K + ka] : T(0);
        Bs[threadIdx.y][threadIdx.x] = (j < N && kb < K) ? B[kb * N + j] : T(0);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < BS; ++k) acc += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }
    if (i < M && j < N) C[i * N + j] = alpha * acc + beta * C[i * N + j];
}
template __global__ void gemm_k<float, 16>(int, int, int, float, const float *, const float *, float, float *);
