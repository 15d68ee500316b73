// CHECK loops.c:blocksum --grid n --block 256 --permit reassociate
// FAULTS 7
__global__ void blocksum(const float *x, float *y) {
    __shared__ float s[256];
    unsigned t = threadIdx.x;
#ifdef FAULT_1
    s[t] = x[blockIdx.x * 255 + t];
#else
    s[t] = x[blockIdx.x * 256 + t];
#endif
#ifndef FAULT_2
    __syncthreads();
#endif
#ifdef FAULT_3
    for (unsigned k = 128; k > 1; k >>= 1) {
#elif defined FAULT_4
    for (unsigned k = 64; k > 0; k >>= 1) {
#else
    for (unsigned k = 128; k > 0; k >>= 1) {
#endif
#ifdef FAULT_5
        if (t <= k && t + k < 256) s[t] += s[t + k];
#else
        if (t < k) s[t] += s[t + k];
#endif
#ifndef FAULT_6
        __syncthreads();
#endif
    }
#ifdef FAULT_7
    if (t == 0) y[blockIdx.x] = s[1];
#else
    if (t == 0) y[blockIdx.x] = s[0];
#endif
}
