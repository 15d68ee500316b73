// CHECK loops.c:matvec --grid n --block 32,4 --permit reassociate
// FAULTS 5
// 128 threads numbered from two dimensions.
__global__ void matvec_block(int n, int m, const float *a, const float *x, float *y) {
    __shared__ float s[128];
    int tid = threadIdx.y * blockDim.x + threadIdx.x, row = blockIdx.x;
    float v = 0.0f;
#if defined FAULT_1
    for (int j = tid; j < m; j += 32) v += a[row * m + j] * x[j];
#else
    for (int j = tid; j < m; j += 128) v += a[row * m + j] * x[j];
#endif
    s[tid] = v;
    __syncthreads();
#if defined FAULT_2
    for (int k = 32; k > 0; k >>= 1) {
#else
    for (int k = 64; k > 0; k >>= 1) {
#endif
        if (tid < k) s[tid] += s[tid + k];
#ifndef FAULT_3
        __syncthreads();
#endif
    }
#if defined FAULT_4
    if (threadIdx.x == 0) y[row] = s[threadIdx.y];
#elif defined FAULT_5
    if (tid == 0) y[row] = s[0] * 0.5f + s[0] * 0.25f;
#else
    if (tid == 0) y[row] = s[0];
#endif
}
