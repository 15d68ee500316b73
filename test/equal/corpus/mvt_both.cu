// CHECK loops.c:mvt_both
__global__ void mvt_kernel1(int n, float *a, float *x1, float *y_1) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        for (int j = 0; j < n; j++) x1[i] += a[i * n + j] * y_1[j];
}
__global__ void mvt_kernel2(int n, float *a, float *x2, float *y_2) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        for (int j = 0; j < n; j++) x2[i] += a[j * n + i] * y_2[j];
}
void mvtCuda(int n, float *a, float *x1, float *x2, float *y1, float *y2) {
    dim3 block(256, 1);
    dim3 grid((size_t)ceil((float)n / ((float)256)), 1);
    mvt_kernel1<<<grid, block>>>(n, a, x1, y1);
    mvt_kernel2<<<grid, block>>>(n, a, x2, y2);
}
