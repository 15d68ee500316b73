// CHECK loops.c:jacobi2d --grid "(n + 31) / 32, (n + 7) / 8" --block 32,8
__global__ void runJacobiCUDA_kernel1(int n, float *A, float *B) {
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if ((i >= 1) && (i < (n - 1)) && (j >= 1) && (j < (n - 1))) {
        B[i * n + j] = 0.2f * (A[i * n + j] + A[i * n + (j - 1)] + A[i * n + (1 + j)] + A[(1 + i) * n + j] + A[(i - 1) * n + j]);
    }
}
