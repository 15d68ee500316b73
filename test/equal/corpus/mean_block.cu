// CHECK loops.c:mean --permit reassociate --grid 1 --block 64
__global__ void mean_kernel(const float *x, float *out, int n) {
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = 0.0f;
    for (int i = t; i < n; i += 64) s[t] += x[i];
    __syncthreads();
    for (int k = 32; k > 0; k >>= 1) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0) out[0] = s[0] / n;
}
