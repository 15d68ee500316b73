// CHECK loops.c:gesummv_too
#define DIM_THREAD_BLOCK_X 256
#define DIM_THREAD_BLOCK_Y 1
typedef float DATA_TYPE;
__global__ void gesummv_kernel(int n, DATA_TYPE alpha, DATA_TYPE beta, DATA_TYPE *A, DATA_TYPE *B, DATA_TYPE *tmp, DATA_TYPE *x, DATA_TYPE *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int j;
        tmp[i] = 0;
        y[i] = 0;
        for (j = 0; j < n; j++) {
            tmp[i] += A[i * n + j] * x[j];
            y[i] += B[i * n + j] * x[j];
        }
        y[i] = alpha * tmp[i] + beta * y[i];
    }
}
void gesummv_too(int n, float alpha, float beta, float *A, float *B, float *x, float *y)
{
    float *tmp;
    cudaMalloc((void **)&tmp, sizeof(DATA_TYPE) * n);
    dim3 block(DIM_THREAD_BLOCK_X, DIM_THREAD_BLOCK_Y);
    dim3 grid((unsigned int)ceil((float)n / ((float)block.x)), 1);
    gesummv_kernel<<<grid, block>>>(n, alpha, beta, A, B, tmp, x, y);
    cudaFree(tmp);
}
