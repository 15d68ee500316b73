// CHECK loops.c:gemm_bias --grid "(N + 15) / 16, (M + 15) / 16" --block 16,16 --kernel "gemm_bias<16>"
template <int TILE>
__global__ void gemm_bias(const float *__restrict__ A, const float *__restrict__ B, const float *__restrict__ bias, float *__restrict__ C, int M, int N, int K) {
    __shared__ float as[TILE][TILE], bs[TILE][TILE + 1];
    const int r = blockIdx.y * TILE + threadIdx.y, c = blockIdx.x * TILE + threadIdx.x;
    float acc = 0.0f;
    for (int k0 = 0; k0 < K; k0 += TILE) {
        const int ka = k0 + threadIdx.x, kb = k0 + threadIdx.y;
        as[threadIdx.y][threadIdx.x] = (r < M && ka < K) ? A[r * K + ka] : 0.0f;
        bs[threadIdx.y][threadIdx.x] = (c < N && kb < K) ? B[kb * N + c] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; ++k) acc = fmaf(as[threadIdx.y][k], bs[k][threadIdx.x], acc);
        __syncthreads();
    }
    if (r < M && c < N) C[r * N + c] = acc + bias[c];
}
template __global__ void gemm_bias<16>(const float *, const float *, const float *, float *, int, int, int);
