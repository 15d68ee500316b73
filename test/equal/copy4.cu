// CHECK loops.c:copy4 --grid "(n + 63) / 64" --block 64
// FAULTS 5
__global__ void copy4(int n, const float *x, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#if defined FAULT_1
    if (i <= n) {
#elif defined FAULT_2
    if (i < n / 4) {
#else
    if (i < n) {
#endif
        float4 v = reinterpret_cast<const float4 *>(x)[i];
#if defined FAULT_3
        v.w = v.z;
#elif defined FAULT_4
        float t = v.x; v.x = v.y; v.y = t;
#endif
#if defined FAULT_5
        reinterpret_cast<float4 *>(y)[n - 1 - i] = v;
#else
        reinterpret_cast<float4 *>(y)[i] = v;
#endif
    }
}
