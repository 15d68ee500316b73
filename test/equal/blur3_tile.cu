// CHECK loops.c:blur3 --grid "(n + 125) / 126" --block 128
// FAULTS 5
__global__ void blur3_tile(int n, const float *x, float *y) {
    __shared__ float s[128];
    int t = threadIdx.x, i = blockIdx.x * 126 + t - 1;
#if defined FAULT_1
    s[t] = i < n ? x[i] : 0.0f;
#elif defined FAULT_2
    s[t] = i >= 0 && i < n - 1 ? x[i] : 0.0f;
#else
    s[t] = i >= 0 && i < n ? x[i] : 0.0f;
#endif
    __syncthreads();
#if defined FAULT_3
    if (t > 0 && t < 128 && i < n) y[i] = (s[t - 1] + s[t] + s[t + 1]) / 3.0f;
#elif defined FAULT_4
    if (t > 1 && t < 127 && i < n) y[i] = (s[t - 1] + s[t] + s[t + 1]) / 3.0f;
#elif defined FAULT_5
    if (t > 0 && t < 127 && i < n) y[i] = (s[t - 1] + s[t] + s[t + 1]) * 0.3f;
#else
    if (t > 0 && t < 127 && i < n) y[i] = (s[t - 1] + s[t] + s[t + 1]) / 3.0f;
#endif
}
