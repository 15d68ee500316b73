// CHECK loops.c:gemm --where "M % 32 == 0 && N % 32 == 0 && K % 32 == 0" --grid "N / 32, M / 32" --block 32,4
#define TS 32
#define WPT 8
#define RTS 4
__kernel void myGEMM3(const int M, const int N, const int K, const __global float *A, const __global float *B, __global float *C) {
    const int col = get_local_id(0);
    const int row = get_local_id(1);
    const int globalCol = TS * get_group_id(0) + col;
    const int globalRow = TS * get_group_id(1) + row;
    __local float Asub[TS][TS];
    __local float Bsub[TS][TS];
    float acc[WPT];
    for (int w = 0; w < WPT; w++) acc[w] = 0.0f;
    const int numTiles = K / TS;
    for (int t = 0; t < numTiles; t++) {
        for (int w = 0; w < WPT; w++) {
            Asub[row + w * RTS][col] = A[(globalRow + w * RTS) * K + TS * t + col];
            Bsub[row + w * RTS][col] = B[(TS * t + row + w * RTS) * N + globalCol];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TS; k++)
            for (int w = 0; w < WPT; w++) acc[w] += Asub[row + w * RTS][k] * Bsub[k][col];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int w = 0; w < WPT; w++) C[(globalRow + w * RTS) * N + globalCol] = acc[w];
}
