// CHECK loops.c:scan_and_sums --permit reassociate --grid nb --block 128
__global__ void scan_kernel(const float *x, float *y, float *sums) {
    __shared__ float s[128];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    s[t] = x[i];
    for (int stride = 1; stride < 128; stride *= 2) {
        __syncthreads();
        float v = 0;
        if (t >= stride) v = s[t - stride];
        __syncthreads();
        s[t] += v;
    }
    y[i] = s[t];
    if (t == 127) sums[blockIdx.x] = s[t];
}
