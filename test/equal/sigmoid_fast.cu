// CHECK loops.c:sigmoid --grid "(n + 255) / 256" --block 256 --permit approximate
// FAULTS 3
// SAYS 1 by the loops and
__global__ void fast(int n, const float *x, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
#ifdef FAULT_1
    y[i] = __fdividef(1.0f, 1.0f + __expf(x[i]));
#elif defined FAULT_2
    y[i] = __frcp_rn(1.0f + __logf(-x[i]));
#elif defined FAULT_3
    y[i] = rsqrtf(1.0f + __expf(-x[i]));
#else
    y[i] = __fdividef(1.0f, 1.0f + __expf(-x[i]));
#endif
}
