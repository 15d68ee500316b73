// CHECK loops.c:atax_both
__global__ void atax_kernel1(int nx, int ny, float *A, float *x, float *tmp) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < nx) {
        tmp[i] = 0;
        for (int j = 0; j < ny; j++) tmp[i] += A[i * ny + j] * x[j];
    }
}
__global__ void atax_kernel2(int nx, int ny, float *A, float *y, float *tmp) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < ny) {
        y[j] = 0;
        for (int i = 0; i < nx; i++) y[j] += A[i * ny + j] * tmp[i];
    }
}
void ataxGpu(int nx, int ny, float *A, float *x, float *y) {
    float *tmp;
    cudaMalloc((void **)&tmp, sizeof(float) * nx);
    const int T = 256;
    atax_kernel1<<<(nx + T - 1) / T, T>>>(nx, ny, A, x, tmp);
    atax_kernel2<<<(ny + T - 1) / T, T>>>(nx, ny, A, y, tmp);
    cudaFree(tmp);
}
