// CHECK loops.c:conv1d --grid "(n + 127) / 128" --block 128
// FAULTS 6
__global__ void conv1d_tile(int n, const float *x, const float *w, float *y) {
    __shared__ float s[128 + 4];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
#ifdef FAULT_1
    if (i < n) s[t] = x[i];
#else
    if (i < n + 4) s[t] = x[i];
#endif
#ifdef FAULT_2
    if (t < 3 && i + 128 < n + 4) s[t + 128] = x[i + 128];
#elif defined FAULT_3
    if (t < 4) s[t + 128] = x[i + 128];
#else
    if (t < 4 && i + 128 < n + 4) s[t + 128] = x[i + 128];
#endif
#ifndef FAULT_4
    __syncthreads();
#endif
    if (i < n) {
        float acc = 0.0f;
#ifdef FAULT_5
        for (int k = 0; k < 5; k++) acc += s[t + k] * w[4 - k];
#elif defined FAULT_6
        for (int k = 0; k <= 5; k++) acc += s[t + k] * w[k];
#else
        for (int k = 0; k < 5; k++) acc += s[t + k] * w[k];
#endif
        y[i] = acc;
    }
}
