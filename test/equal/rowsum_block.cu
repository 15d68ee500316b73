// CHECK loops.c:rowsum --grid n --block 128 --permit reassociate
// FAULTS 6
__global__ void rowsum_block(int n, int m, const float *x, float *y) {
    __shared__ float part[128];
    const float *row = x + blockIdx.x * m;
    float s = 0.0f;
#if defined FAULT_1
    for (int j = threadIdx.x; j < m; j += 64) s += row[j];
#elif defined FAULT_2
    for (int j = threadIdx.x + 1; j < m; j += 128) s += row[j];
#else
    for (int j = threadIdx.x; j < m; j += blockDim.x) s += row[j];
#endif
    part[threadIdx.x] = s;
    __syncthreads();
#if defined FAULT_3
    for (int k = 64; k > 1; k /= 2) {
#else
    for (int k = 64; k > 0; k /= 2) {
#endif
        if (threadIdx.x < k) part[threadIdx.x] += part[threadIdx.x + k];
#ifdef FAULT_4
    }
    __syncthreads();
#else
        __syncthreads();
    }
#endif
#if defined FAULT_5
    if (threadIdx.x == 0) y[blockIdx.x] += part[0];
#elif defined FAULT_6
    y[threadIdx.x] = part[0];
#else
    if (threadIdx.x == 0) y[blockIdx.x] = part[0];
#endif
}
