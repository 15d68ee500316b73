// CHECK loops.c:matvec --grid "(n + 127) / 128" --block 128
// FAULTS 5
// Lower precision than the loops', by 16-bit floats.
#include <cuda_fp16.h>
__global__ void matvec(const float *a, const float *x, float *y, int n, int m) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
#ifdef FAULT_1 // a sum that is really half
    __half s = __float2half(0.0f);
    for (int j = 0; j < m; j++) s = __hadd(s, __float2half(a[i * m + j] * x[j]));
    y[i] = __half2float(s);
#elif defined FAULT_2 // one of the operands
    float s = 0.0f;
    for (int j = 0; j < m; j++) s += __half2float(__float2half(a[i * m + j])) * x[j];
    y[i] = s;
#elif defined FAULT_3 // two at once
    float s = 0.0f;
    int j = 0;
    for (; j + 1 < m; j += 2) {
        __half2 p = __hmul2(__floats2half2_rn(a[i * m + j], a[i * m + j + 1]), __floats2half2_rn(x[j], x[j + 1]));
        s += __low2float(p) + __high2float(p);
    }
    if (j < m) s += a[i * m + j] * x[j];
    y[i] = s;
#elif defined FAULT_4 // the result alone
    float s = 0.0f;
    for (int j = 0; j < m; j++) s += a[i * m + j] * x[j];
    y[i] = __half2float(__float2half_rn(s));
#elif defined FAULT_5
    half s = __float2half(0.0f);
    for (int j = 0; j < m; j++) s = __hfma(__float2half(a[i * m + j]), __float2half(x[j]), s);
    y[i] = __half2float(s);
#else
    float s = 0.0f;
    for (int j = 0; j < m; j++) s += a[i * m + j] * x[j];
    y[i] = s;
#endif
}
