// CHECK loops.c:vadd --grid "(n + 255) / 256 + 1" --block 256
// FAULTS 3
// OPEN_FAULTS 1 2 3
// SAYS 1 proved with n >= 1
// SAYS 2 the read of b at line 16 may be outside of it
// SAYS 3 proved with n >= 1
// A block that is there for no element: at n = 0 nothing of the arrays is.
__global__ void empty_sizes(int n, const float *a, const float *b, float *c) {
    __shared__ float first;
    int i = blockIdx.x * 256 + threadIdx.x;
#ifdef FAULT_1
    if (threadIdx.x == 0) first = a[0];
    __syncthreads();
    if (i < n) c[i] = (i == 0 ? first : a[i]) + b[i];
#elif defined FAULT_2
    float y = b[i < n ? i : 0];
    if (i < n) c[i] = a[i] + y;
#elif defined FAULT_3
    if (i <= 0) c[i] = c[i];
    if (i < n) c[i] = a[i] + b[i];
#else
    if (i < n) c[i] = a[i] + b[i];
#endif
}
