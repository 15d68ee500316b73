// CHECK loops.c:batchnorm_bn --grid "n * c" --block 256
__global__ void bn(const float *x, const float *mean, const float *var, const float *g, const float *b, float *y, int n, int c, int hw) {
    int ch = blockIdx.x % c;
    float mu = mean[ch], sd = sqrtf(var[ch] + 1e-5f), gg = g[ch], bb = b[ch];
    const float *in = x + blockIdx.x * hw;
    float *out = y + blockIdx.x * hw;
    for (int j = threadIdx.x; j < hw; j += blockDim.x) out[j] = gg * (in[j] - mu) / sd + bb;
}
