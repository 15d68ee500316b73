// CHECK loops.c:batchnorm --grid "(s + 127) / 128, c, n" --block 128
__global__ void batchnorm(const float *x, const float *mean, const float *var, const float *g, const float *b, float *y, int c, int s) {
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    int k = blockIdx.y;
    if (p >= s) return;
    int at = (blockIdx.z * c + k) * s + p;
    y[at] = (x[at] - mean[k]) / sqrtf(var[k] + 1e-5f) * g[k] + b[k];
}
