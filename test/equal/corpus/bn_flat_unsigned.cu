// CHECK loops.c:batchnorm_bn --grid "(n * c * hw + 255) / 256" --block 256
__global__ void bn(const float *x, const float *mean, const float *var, const float *g, const float *b, float *y, unsigned n, unsigned c, unsigned hw) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n * c * hw) {
        unsigned ch = i / hw % c;
        y[i] = g[ch] * (x[i] - mean[ch]) / sqrtf(var[ch] + 1e-5f) + b[ch];
    }
}
