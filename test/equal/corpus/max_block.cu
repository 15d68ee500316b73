// CHECK loops.c:max_of --grid 1 --block 256
__global__ void max_kernel(const float *in, float *out, int n) {
    __shared__ float s[256];
    int t = threadIdx.x;
    float m = -INFINITY;
    for (int i = t; i < n; i += blockDim.x) m = fmaxf(m, in[i]);
    s[t] = m;
    __syncthreads();
    for (int k = blockDim.x / 2; k > 0; k >>= 1) {
        if (t < k) s[t] = fmaxf(s[t], s[t + k]);
        __syncthreads();
    }
    if (t == 0) out[0] = s[0];
}
