// CHECK loops.c:matmul --grid "(n + 15) / 16, (n + 15) / 16" --block 16,16
// FAULTS 8
#define T 16
__global__ void matmul_tiled(const float *A, const float *B, float *C, int n) {
    __shared__ float As[T][T], Bs[T][T];
    int ty = threadIdx.y, tx = threadIdx.x;
    int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
    float acc = 0.0f;
#ifdef FAULT_1
    for (int t = 0; t < n / T; t++) {
#else
    for (int t = 0; t < (n + T - 1) / T; t++) {
#endif
#ifdef FAULT_2
        As[ty][tx] = row < n ? A[row * n + t * T + tx] : 0.0f;
#elif defined FAULT_3
        As[ty][tx] = row < n && t * T + tx < n ? A[row * n + t * T + ty] : 0.0f;
#else
        As[ty][tx] = row < n && t * T + tx < n ? A[row * n + t * T + tx] : 0.0f;
#endif
#ifdef FAULT_4
        if (t * T + ty < n && col < n) Bs[ty][tx] = B[(t * T + ty) * n + col];
#else
        Bs[ty][tx] = t * T + ty < n && col < n ? B[(t * T + ty) * n + col] : 0.0f;
#endif
#ifndef FAULT_5
        __syncthreads();
#endif
#ifdef FAULT_6
        for (int k = 0; k < T - 1; k++) acc += As[ty][k] * Bs[k][tx];
#else
        for (int k = 0; k < T; k++) acc += As[ty][k] * Bs[k][tx];
#endif
#ifndef FAULT_7
        __syncthreads();
#endif
    }
#ifdef FAULT_8
    C[row * n + col] = acc;
#else
    if (row < n && col < n) C[row * n + col] = acc;
#endif
}
