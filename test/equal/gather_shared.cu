// CHECK loops.c:gather --grid "(n + 63) / 64" --block 64
// FAULTS 5
__global__ void gather_shared(int n, const float *x, const int *idx, float *y) {
    __shared__ int s[64];
    int i = blockIdx.x * 64 + threadIdx.x;
#ifdef FAULT_1
    s[threadIdx.x] = idx[i];
#else
    if (i < n) s[threadIdx.x] = idx[i];
#endif
    __syncthreads();
#if defined FAULT_2
    if (i < n) y[i] = x[s[63 - threadIdx.x]];
#elif defined FAULT_3
    if (i < n) y[i] = x[i];
#elif defined FAULT_4
    if (i < n) y[i] = x[s[threadIdx.x] + 1];
#elif defined FAULT_5
    if (i < n) y[s[threadIdx.x]] = x[i];
#else
    if (i < n) y[i] = x[s[threadIdx.x]];
#endif
}
