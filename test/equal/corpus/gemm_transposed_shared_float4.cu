// CHECK loops.c:gemm --permit reassociate --where "M % 32 == 0 && N % 32 == 0 && K % 32 == 0" --grid "N / 32, M / 32" --block "8, 32"
__global__ void gemm_vec(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ float As[32][32];
    __shared__ float Bs[32][32];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 32 + ty, col = blockIdx.x * 32 + tx * 4;
    float4 acc = make_float4(0.f, 0.f, 0.f, 0.f);
    for (int t = 0; t < K; t += 32) {
        *(float4 *)&As[ty][tx * 4] = *(const float4 *)&A[row * K + t + tx * 4];
        *(float4 *)&Bs[ty][tx * 4] = *(const float4 *)&B[(t + ty) * N + col];
        __syncthreads();
        for (int k = 0; k < 32; k++) {
            float a = As[ty][k];
            acc.x += a * Bs[k][tx * 4];
            acc.y += a * Bs[k][tx * 4 + 1];
            acc.z += a * Bs[k][tx * 4 + 2];
            acc.w += a * Bs[k][tx * 4 + 3];
        }
        __syncthreads();
    }
    *(float4 *)&C[row * N + col] = acc;
}
