// CHECK loops.c:scale_long --where "n >= 0" --grid 1024 --block 256
__global__ void scale_kernel(long n, double a, const double *x, double *y) {
    const long stride = (long)gridDim.x * blockDim.x;
    for (long i = (long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) y[i] = a * x[i];
}
