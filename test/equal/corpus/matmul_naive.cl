// CHECK loops.c:gemm --grid "(M + 31) / 32, (N + 31) / 32" --block 32,32
__kernel void myGEMM1(const int M, const int N, const int K, const __global float *A, const __global float *B, __global float *C) {
    const int globalRow = get_global_id(0);
    const int globalCol = get_global_id(1);
    if (globalRow >= M || globalCol >= N) return;
    float acc = 0.0f;
    for (int k = 0; k < K; k++) acc += A[globalRow * K + k] * B[k * N + globalCol];
    C[globalRow * N + globalCol] = acc;
}
