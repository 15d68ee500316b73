// CHECK loops.c:matmul --where "n % 16 == 0" --grid "n / 16, n / 16" --block 16,16
__global__ void matmul_prefetch(const float *A, const float *B, float *C, int n) {
    __shared__ float As[16][16], Bs[16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
    float ra = A[row * n + tx], rb = B[ty * n + col], acc = 0.0f;
    for (int t = 0; t < n / 16; t++) {
        As[ty][tx] = ra;
        Bs[ty][tx] = rb;
        __syncthreads();
        if (t + 1 < n / 16) {
            ra = A[row * n + (t + 1) * 16 + tx];
            rb = B[((t + 1) * 16 + ty) * n + col];
        }
        for (int k = 0; k < 16; k++) acc += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    C[row * n + col] = acc;
}
