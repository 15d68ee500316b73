// CHECK loops.c:bn_stats --permit reassociate --grid c --block 256
__global__ void bn(const float *x, float *mean, int n, int c, int s) {
    __shared__ float sh[256];
    float a = 0;
    int ch = blockIdx.x;
    for (int i = 0; i < n; i++)
        for (int j = threadIdx.x; j < s; j += blockDim.x) a += x[(i * c + ch) * s + j];
    sh[threadIdx.x] = a;
    for (int o = 128; o >= 1; o >>= 1) {
        __syncthreads();
        if (threadIdx.x < o) sh[threadIdx.x] += sh[threadIdx.x + o];
    }
    __syncthreads();
    if (threadIdx.x == 0) mean[ch] = sh[0] / (n * s);
}
