// CHECK loops.c:spmv_ell --grid "(n + 255) / 256" --block 256
__global__ void spmv_ell(int n, int w, const int *col, const float *val, const float *x, float *y) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < n) {
        float s = 0.0f;
        for (int k = 0; k < w; k++) s += val[n * k + r] * x[col[n * k + r]];
        y[r] = s;
    }
}
