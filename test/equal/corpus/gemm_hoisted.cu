// CHECK loops.c:gemm0 --grid "(N + 31) / 32, (M + 7) / 8" --block 32,8
struct GemmArgs {
    const float *A;
    const float *B;
    float *C;
    int M, N, K;
};
template <int BX, int BY>
__global__ void gemm_args(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int M, int N, int K) {
    const int col = blockIdx.x * BX + threadIdx.x, row = blockIdx.y * BY + threadIdx.y;
    if (row < M && col < N) {
        const float *a = A + (long long)row * K;
        const float *b = B + col;
        float *c = C + (long long)row * N + col;
        float sum = 0.f;
        for (int k = 0; k < K; ++k, ++a, b += N) sum += *a * *b;
        *c = sum;
    }
}
template __global__ void gemm_args<32, 8>(const float *, const float *, float *, int, int, int);
