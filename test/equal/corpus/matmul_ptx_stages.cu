// CHECK loops.c:matmul --where "n % 16 == 0" --grid "n / 16, n / 16" --block 16,16
__device__ __forceinline__ void cp_async_4(float *smem, const float *gmem) {
    unsigned s = (unsigned)__cvta_generic_to_shared(smem);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;\n" ::"r"(s), "l"(gmem));
}
__device__ __forceinline__ void cp_async_commit() { asm volatile("cp.async.commit_group;\n" ::); }
template <int N>
__device__ __forceinline__ void cp_async_wait() { asm volatile("cp.async.wait_group %0;\n" ::"n"(N)); }
__global__ void matmul_ptx(const float *A, const float *B, float *C, int n) {
    __shared__ float As[2][16][16], Bs[2][16][16];
    const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
    float acc = 0.0f;
    cp_async_4(&As[0][ty][tx], &A[row * n + tx]);
    cp_async_4(&Bs[0][ty][tx], &B[ty * n + col]);
    cp_async_commit();
    for (int t = 0; t < n / 16; t++) {
        if (t + 1 < n / 16) {
            cp_async_4(&As[(t + 1) % 2][ty][tx], &A[row * n + (t + 1) * 16 + tx]);
            cp_async_4(&Bs[(t + 1) % 2][ty][tx], &B[((t + 1) * 16 + ty) * n + col]);
        }
        cp_async_commit();
        cp_async_wait<1>();
        __syncthreads();
        for (int k = 0; k < 16; k++) acc += As[t % 2][ty][k] * Bs[t % 2][k][tx];
        __syncthreads();
    }
    C[row * n + col] = acc;
}
