// CHECK loops.c:rowmax --grid n --block 64
// FAULTS 6
__global__ void rowmax_block(const float *in, float *out, int n, int m) {
    __shared__ float best[64];
    int t = threadIdx.x, row = blockIdx.x;
#ifdef FAULT_1
    float v = 0.0f;
#else
    float v = -INFINITY;
#endif
    for (int j = t; j < m; j += 64)
#ifdef FAULT_2
        v = fminf(v, in[row * m + j]);
#else
        v = fmaxf(v, in[row * m + j]);
#endif
    best[t] = v;
    __syncthreads();
    for (int k = 32; k > 0; k >>= 1) {
#ifdef FAULT_3
        if (t < k) best[t] = fmaxf(best[t], best[t + k - 1]);
#else
        if (t < k) best[t] = fmaxf(best[t], best[t + k]);
#endif
#ifndef FAULT_4
        __syncthreads();
#endif
    }
#if defined FAULT_5
    if (t == 1) out[row] = best[t];
#elif defined FAULT_6
    if (t == 0 && row < n - 1) out[row] = best[0];
#else
    if (t == 0) out[row] = best[0];
#endif
}
