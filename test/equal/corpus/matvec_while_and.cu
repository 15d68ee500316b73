// CHECK loops.c:matvec_while_and --grid "(m + 127) / 128" --block 128
__global__ void mv(const float *A, const float *x, float *y, int m, int n) {
    int r = blockIdx.x * blockDim.x + threadIdx.x, c = 0;
    float s = 0.f;
    while (r < m && c < n) {
        s += A[r * n + c] * x[c];
        ++c;
    }
    if (r < m) y[r] = s;
}
