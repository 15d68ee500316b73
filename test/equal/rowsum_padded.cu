// CHECK loops.c:rowsum --layout 'X[i * 1024 + j] = x[i][j]' --where "m <= 1024" --grid "(n + 63) / 64" --block 64
// FAULTS 4
// OPEN_FAULTS 1 3
// Rows begin 1,024 elements apart, however long they are. What lies beyond a row is not told: 1 and 3 read there.
__global__ void rowsum(const float *X, float *y, int n, int m) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n) {
        float s = 0;
#ifdef FAULT_1
        for (int j = 0; j < 1024; j++)
#elif defined FAULT_2
        for (int j = 1; j < m; j++)
#else
        for (int j = 0; j < m; j++)
#endif
#ifdef FAULT_3
            s += X[i * m + j];
#elif defined FAULT_4
            s += X[i + j * 1024];
#else
            s += X[i * 1024 + j];
#endif
        y[i] = s;
    }
}
