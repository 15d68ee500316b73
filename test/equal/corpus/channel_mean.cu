// CHECK loops.c:channel_mean --permit reassociate --grid c --block 128
__global__ void channel_mean(const float *x, float *mean, int n, int c, int s) {
    __shared__ float red[128];
    int k = blockIdx.x, t = threadIdx.x;
    float acc = 0.0f;
    for (int i = 0; i < n; i++)
        for (int p = t; p < s; p += 128) acc += x[(i * c + k) * s + p];
    red[t] = acc;
    __syncthreads();
    for (int o = 64; o > 0; o >>= 1) {
        if (t < o) red[t] += red[t + o];
        __syncthreads();
    }
    if (t == 0) mean[k] = red[0] / (n * s);
}
