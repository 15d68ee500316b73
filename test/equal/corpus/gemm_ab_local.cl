// CHECK loops.c:gemm_ab_of --grid "N / 16, M / 16" --block 16,16 --where "M % 16 == 0 && N % 16 == 0 && K % 16 == 0"
#define TS 16
__kernel __attribute__((reqd_work_group_size(TS, TS, 1))) void gemm(const int M, const int N, const int K, const float alpha, const float beta, const __global float *restrict A, const __global float *restrict B, __global float *restrict C) {
    const int lx = get_local_id(0);
    const int ly = get_local_id(1);
    const int col = TS * get_group_id(0) + lx;
    const int row = get_group_id(1) * TS + ly;
    __local float Asub[TS][TS];
    __local float Bsub[TS][TS + 1];
    float acc = 0.0f;
    const int numTiles = K / TS;
    for (int t = 0; t < numTiles; t++) {
        Asub[ly][lx] = A[mad24(row, K, TS * t + lx)];
        Bsub[ly][lx] = B[(TS * t + ly) * N + col];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TS; k++) acc = mad(Asub[ly][k], Bsub[k][lx], acc);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    C[row * N + col] = alpha * acc + beta * C[row * N + col];
}
