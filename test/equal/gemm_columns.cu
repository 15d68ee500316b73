// CHECK loops.c:matmul --layout 'A[k * n + i] = a[i][k]' --layout 'B[j * n + k] = b[k][j]' --layout 'C[j * n + i] = c[i][j]' --grid "(n + 15) / 16, (n + 15) / 16" --block 16,16 --bind n=n,ld=n
// FAULTS 6
// All three by columns, as in BLAS.
__global__ void gemm(int n, int ld, const float *A, const float *B, float *C) {
    int i = blockIdx.x * 16 + threadIdx.x, j = blockIdx.y * 16 + threadIdx.y;
#ifndef FAULT_1
    if (i >= n || j >= n) return;
#else
    if (i >= n) return;
#endif
    float s = 0;
#ifdef FAULT_2
    for (int k = 0; k < n - 1; k++)
#else
    for (int k = 0; k < n; k++)
#endif
#ifdef FAULT_3
        s += A[i * n + k] * B[j * ld + k];
#elif defined FAULT_4
        s += A[k * n + i] * B[k * ld + j];
#else
        s += A[k * n + i] * B[j * ld + k];
#endif
#ifdef FAULT_5
    C[i * n + j] = s;
#elif defined FAULT_6
    C[j * n + i] = s + A[i];
#else
    C[j * n + i] = s;
#endif
}
