// CHECK loops.c:rowsum --grid n --block 32 --permit reassociate
// FAULTS 5
// OPEN_FAULTS 1 2 3 4 5
// A mask that leaves lanes out is not taken for all of them.
#define FULL_MASK 0xffffffff
#if defined FAULT_1
#define MASK 1
#elif defined FAULT_2
#define MASK 0xffff
#elif defined FAULT_3
#define MASK (1u << threadIdx.x)
#else
#define MASK FULL_MASK
#endif
__device__ float from(unsigned mask, float v, int o) { return __shfl_down_sync(mask, v, o); }
__global__ void masks(int n, int m, const float *x, float *y) {
    __shared__ float s[32];
    unsigned mask = MASK, all = FULL_MASK;
    int t = threadIdx.x;
    float v = 0.0f;
    for (int j = t; j < m; j += 32) v += x[blockIdx.x * m + j];
    for (int o = 16; o > 8; o >>= 1) v += __shfl_down_sync(mask, v, o);
#if defined FAULT_5
    for (int o = 8; o > 4; o >>= 1) v += from(0xff, v, o);
#else
    for (int o = 8; o > 4; o >>= 1) v += from(all, v, o);
#endif
    s[t] = v;
#if defined FAULT_4
    __syncwarp(0xffff0000);
#else
    __syncwarp(-1);
#endif
    if (t == 0) y[blockIdx.x] = s[0] + s[1] + s[2] + s[3] + s[4] + s[5] + s[6] + s[7];
}
