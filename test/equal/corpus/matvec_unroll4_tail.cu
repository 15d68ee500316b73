// CHECK loops.c:matvec_rows --grid "(m + 127) / 128" --block 128 --bind n=m,m=n
__global__ void matvec_unroll4(const float *a, const float *x, float *y, int n, int m) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = 0.0f;
    int j;
    for (j = 0; j + 3 < m; j += 4) {
        s += a[i * m + j] * x[j];
        s += a[i * m + j + 1] * x[j + 1];
        s += a[i * m + j + 2] * x[j + 2];
        s += a[i * m + j + 3] * x[j + 3];
    }
    for (; j < m; j++) s += a[i * m + j] * x[j];
    y[i] = s;
}
