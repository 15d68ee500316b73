// CHECK loops.c:accumulate --grid 64 --block 128 --permit reassociate
// FAULTS 5
__global__ void atomic_block(int n, const float *x, float *out) {
    __shared__ float s[128];
    float v = 0.0f;
#if defined FAULT_1
    for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += 128) v += x[i];
#else
    for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += 128 * gridDim.x) v += x[i];
#endif
    s[threadIdx.x] = v;
#ifndef FAULT_2
    __syncthreads();
#endif
    for (int k = 64; k; k >>= 1) {
        if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
        __syncthreads();
    }
#if defined FAULT_3
    if (threadIdx.x == 0) out[0] += s[0];
#elif defined FAULT_4
    if (threadIdx.x < 2) atomicAdd(out, s[threadIdx.x]);
#elif defined FAULT_5
    if (threadIdx.x == 0 && blockIdx.x < 63) atomicAdd(out, s[0]);
#else
    if (threadIdx.x == 0) atomicAdd(out, s[0]);
#endif
}
