// CHECK loops.c:dgemm --permit reassociate --grid "(N + 15) / 16, (M + 15) / 16, (K + 31) / 32" --block 16,16
__global__ void dgemm_atomic(int M, int N, int K, const double *A, const double *B, double *C) {
    int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
    if (i >= M || j >= N) return;
    double s = 0.0;
    for (int k = blockIdx.z * 32; k < min(K, (int)blockIdx.z * 32 + 32); k++) s += A[i * K + k] * B[k * N + j];
    atomicAdd(&C[i * N + j], s);
}
