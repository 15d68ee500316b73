// CHECK loops.c:gather --grid 64 --block 256
__global__ void gather(const float *x, const int *idx, float *y, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) y[i] = x[idx[i]];
}
