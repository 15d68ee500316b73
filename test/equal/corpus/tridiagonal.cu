// CHECK loops.c:tridiagonal --grid "(n + 127) / 128" --block 128
__global__ void tri(int n, const float *l, const float *d, const float *u, const float *x, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float s = d[i] * x[i];
        if (i > 0) s += l[i] * x[i - 1];
        if (i + 1 < n) s += u[i] * x[i + 1];
        y[i] = s;
    }
}
