// CHECK loops.c:softmax --grid n --block 64 --permit reassociate
// FAULTS 7
__global__ void softmax_block(const float *in, float *out, int n, int m) {
    __shared__ float red[64];
    int t = threadIdx.x;
    const float *x = in + blockIdx.x * m;
    float *y = out + blockIdx.x * m;
    float top = -INFINITY;
    for (int j = t; j < m; j += 64) top = fmaxf(top, x[j]);
    red[t] = top;
    __syncthreads();
    for (int k = 32; k > 0; k >>= 1) {
        if (t < k) red[t] = fmaxf(red[t], red[t + k]);
        __syncthreads();
    }
    top = red[0];
#ifndef FAULT_1
    __syncthreads();
#endif
    float s = 0.0f;
#ifdef FAULT_2
    for (int j = t; j < m - 1; j += 64) s += expf(x[j] - top);
#elif defined FAULT_3
    for (int j = t; j < m; j += 64) s += expf(x[j]);
#else
    for (int j = t; j < m; j += 64) s += expf(x[j] - top);
#endif
    red[t] = s;
    __syncthreads();
    for (int k = 32; k > 0; k >>= 1) {
#ifdef FAULT_4
        if (t < k) red[t] = fmaxf(red[t], red[t + k]);
#else
        if (t < k) red[t] += red[t + k];
#endif
        __syncthreads();
    }
#ifdef FAULT_5
    s = red[t];
#else
    s = red[0];
#endif
#if defined FAULT_6
    for (int j = t; j < m; j += 64) y[j] = expf(x[j]) / s;
#elif defined FAULT_7
    for (int j = t; j < m; j += 64) y[j] = expf(x[j] - top);
#else
    for (int j = t; j < m; j += 64) y[j] = expf(x[j] - top) / s;
#endif
}
