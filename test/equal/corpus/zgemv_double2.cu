// CHECK loops.c:zgemv --grid "(m + 127) / 128" --block 128
__global__ void zgemv_kernel(int m, int n, const double2 *A, const double2 *x, double2 *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= m) return;
    double2 acc = make_double2(0.0, 0.0);
    for (int j = 0; j < n; j++) {
        double2 a = A[i * n + j], v = x[j];
        acc.x += a.x * v.x - a.y * v.y;
        acc.y += a.x * v.y + a.y * v.x;
    }
    y[i] = acc;
}
