// CHECK loops.c:gemm --permit reassociate --where "M % 32 == 0 && N % 32 == 0 && K % 32 == 0" --grid "N / 32, M / 32" --block "32, 8"
#define TS 32
#define RTS 8
__kernel __attribute__((reqd_work_group_size(TS, RTS, 1)))
void mm(const int M, const int N, const int K, const __global float *A, const __global float *B, __global float *C) {
    __local float As[TS][TS], Bs[TS][TS];
    const int lx = get_local_id(0), ly = get_local_id(1);
    const int col = get_group_id(0) * TS + lx, row = get_group_id(1) * TS + ly;
    float acc[TS / RTS];
    for (int w = 0; w < TS / RTS; w++) acc[w] = 0.0f;
    for (int t = 0; t < K / TS; t++) {
        for (int w = 0; w < TS / RTS; w++) {
            As[ly + w * RTS][lx] = A[(row + w * RTS) * K + t * TS + lx];
            Bs[ly + w * RTS][lx] = B[(t * TS + ly + w * RTS) * N + col];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TS; k++)
            for (int w = 0; w < TS / RTS; w++) acc[w] = mad(As[ly + w * RTS][k], Bs[k][lx], acc[w]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int w = 0; w < TS / RTS; w++) C[(row + w * RTS) * N + col] = acc[w];
}
