// CHECK loops.c:gemm_flat_out --grid "(M * N + 255) / 256" --block 256
__global__ void mm(const float *A, const float *B, float *C, int M, int N, int K) {
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx >= M * N) return;
    int r = idx / N, c = idx % N;
    float acc = 0.0f;
    for (int k = 0; k < K; ++k) acc += A[r * K + k] * B[k * N + c];
    C[idx] = acc;
}
