// CHECK loops.c:matmul --grid "(n + 15) / 16, (n + 15) / 16" --block 16,16
// FAULTS 6
__global__ void matmul_naive(const float *A, const float *B, float *C, int n) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FAULT_1
    if (row < n || col < n) {
#else
    if (row < n && col < n) {
#endif
        float sum = 0.0f;
#ifdef FAULT_2
        for (int k = 0; k < n - 1; ++k)
#elif defined FAULT_3
        for (int k = 1; k < n; ++k)
#else
        for (int k = 0; k < n; ++k)
#endif
#ifdef FAULT_4
            sum += A[row * n + k] * B[col * n + k];
#elif defined FAULT_5
            sum = A[row * n + k] * B[k * n + col];
#else
            sum += A[row * n + k] * B[k * n + col];
#endif
#ifdef FAULT_6
        C[col * n + row] = sum;
#else
        C[row * n + col] = sum;
#endif
    }
}
