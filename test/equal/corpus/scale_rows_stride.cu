// CHECK loops.c:scale_rows --grid 64 --block 128
__global__ void scale_rows(const float *x, const float *s, float *y, int n, int m) {
    const size_t total = (size_t)n * m;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < total; i += (size_t)gridDim.x * blockDim.x) y[i] = x[i] * s[i / m];
}
