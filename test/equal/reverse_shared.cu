// CHECK loops.c:reverse_blocks --grid n --block 128
// FAULTS 5
__global__ void reverse_shared(int n, const float *x, float *y) {
#if defined FAULT_1
    __shared__ float s[127];
#else
    __shared__ float s[128];
#endif
    int t = threadIdx.x, base = blockIdx.x * blockDim.x;
    s[t] = x[base + t];
#ifndef FAULT_2
    __syncthreads();
#endif
#if defined FAULT_3
    y[base + t] = s[t];
#elif defined FAULT_4
    y[base + t] = s[128 - t];
#elif defined FAULT_5
    y[base + t] = s[127 - (t & 63)];
#else
    y[base + t] = s[blockDim.x - 1 - t];
#endif
}
