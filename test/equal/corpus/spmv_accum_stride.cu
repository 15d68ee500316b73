// CHECK loops.c:spmv_accum --grid "(n + 127) / 128" --block 128
__global__ void k(int n, const int *rp, const int *ci, const double *v, const double *x, double *y) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        double t = y[i];
        for (int k = rp[i]; k < rp[i + 1]; k++) t += v[k] * x[ci[k]];
        y[i] = t;
    }
}
