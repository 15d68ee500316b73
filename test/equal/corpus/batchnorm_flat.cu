// CHECK loops.c:batchnorm_flat --grid "(n * c * hw + 255) / 256" --block 256
__global__ void bn(const float *x, const float *mean, const float *var, const float *g, const float *b, float *y, int n, int c, int hw) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int size = n * c * hw;
    if (i < size) {
        int ch = (i / hw) % c;
        float inv = sqrtf(var[ch] + 1e-5f);
        y[i] = g[ch] * (x[i] - mean[ch]) / inv + b[ch];
    }
}
