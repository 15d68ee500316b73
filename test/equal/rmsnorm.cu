// CHECK loops.c:rmsnorm --grid n --block 128 --permit reassociate
// FAULTS 5
__global__ void rmsnorm(int n, int m, const float *x, const float *w, float *y) {
    __shared__ float s[128];
    int t = threadIdx.x, row = blockIdx.x;
    float acc = 0.0f;
    for (int j = t; j < m; j += blockDim.x) {
        float v = x[row * m + j];
#ifdef FAULT_1
        acc += v;
#else
        acc += v * v;
#endif
    }
    s[t] = acc;
    __syncthreads();
    for (int k = blockDim.x / 2; k > 0; k /= 2) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
#ifdef FAULT_2
    float r = 1.0f / sqrtf(s[0] / m);
#elif defined FAULT_3
    float r = 1.0f / sqrtf(s[0] / 128 + 1e-5f);
#else
    float r = 1.0f / sqrtf(s[0] / m + 1e-5f);
#endif
    for (int j = t; j < m; j += blockDim.x)
#if defined FAULT_4
        y[row * m + j] = x[row * m + j] * r * w[row];
#elif defined FAULT_5
        y[row * m + j] = x[row * m + j] * r;
#else
        y[row * m + j] = x[row * m + j] * r * w[j];
#endif
}
