// CHECK loops.c:gesummv --grid "(n + 255) / 256" --block 256
__global__ void gesummv_kernel(int n, float alpha, float beta, float *A, float *B, float *tmp, float *x, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        tmp[i] = 0;
        y[i] = 0;
        for (int j = 0; j < n; j++) {
            tmp[i] += A[i * n + j] * x[j];
            y[i] += B[i * n + j] * x[j];
        }
        y[i] = alpha * tmp[i] + beta * y[i];
    }
}
