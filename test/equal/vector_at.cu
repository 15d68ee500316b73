// CHECK loops.c:copy4 --grid "(n + 63) / 64" --block 64
// FAULTS 2
// OPEN_FAULTS 1 2
// SAYS 1 is no multiple of its size
// Vectors lie at multiples of their size.
__global__ void vector_at(int n, const float *x, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
#if defined FAULT_1
        float2 v = *(const float2 *)(x + 4 * i + 1);
        y[4 * i] = x[4 * i], y[4 * i + 1] = v.x, y[4 * i + 2] = v.y, y[4 * i + 3] = x[4 * i + 3];
#elif defined FAULT_2
        float4 v = *(const float4 *)&x[4 * i];
        y[4 * i] = v.x, y[4 * i + 3] = v.w;
        *(float2 *)&y[4 * i + 1] = make_float2(v.y, v.z);
#else
        float4 v = *(const float4 *)(x + 4 * i);
        *(float2 *)&y[4 * i] = make_float2(v.x, v.y);
        *(float2 *)(y + 4 * i + 2) = make_float2(v.z, v.w);
#endif
    }
}
