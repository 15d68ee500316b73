// CHECK loops.c:residual_drop --grid 64 --block 256 --kernel rd
__global__ void rd(const float *x, const float *res, const unsigned char *mask, float *y, float keep, int n) {
    const int stride = gridDim.x * blockDim.x;
    for (int i = blockDim.x * blockIdx.x + threadIdx.x; i < n; i += stride) {
        float v = mask[i] ? x[i] / keep : 0.f;
        y[i] = res[i] + v;
    }
}
