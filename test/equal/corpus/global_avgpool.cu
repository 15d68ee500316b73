// CHECK loops.c:global_avgpool --permit reassociate --grid c --block 256
__global__ void global_avg_pool(const float *x, float *y, int c, int s) {
    __shared__ float sm[256];
    float v = 0.0f;
    for (int p = threadIdx.x; p < s; p += blockDim.x) v += x[blockIdx.x * s + p];
    sm[threadIdx.x] = v;
    __syncthreads();
    if (threadIdx.x < 128) sm[threadIdx.x] += sm[threadIdx.x + 128];
    __syncthreads();
    if (threadIdx.x < 64) sm[threadIdx.x] += sm[threadIdx.x + 64];
    __syncthreads();
    if (threadIdx.x < 32) {
        float u = sm[threadIdx.x] + sm[threadIdx.x + 32];
        for (int o = 16; o > 0; o >>= 1) u += __shfl_down_sync(0xffffffff, u, o);
        if (threadIdx.x == 0) y[blockIdx.x] = u / s;
    }
}
