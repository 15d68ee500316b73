// CHECK loops.c:copy_rows --where "4 * q <= m" --grid n --block 32
// FAULTS 2
// SAYS 0 addresses of vectors that are multiples of their size
// Rows are m apart: where that is no multiple of four the device stops, which is told.
__global__ void rows(int n, int q, int m, const float *a, float *b) {
    int r = blockIdx.x;
    for (int k = threadIdx.x; k < q; k += 32) {
#if defined FAULT_1
        if (k == q - 1) continue;
#endif
#if defined FAULT_2
        reinterpret_cast<float4 *>(b + r * m)[k] = reinterpret_cast<const float4 *>(a + r * m)[k == 0 ? q - 1 : k];
#else
        reinterpret_cast<float4 *>(b + r * m)[k] = reinterpret_cast<const float4 *>(a + r * m)[k];
#endif
    }
}
