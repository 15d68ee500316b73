// CHECK loops.c:corr_reduce --grid "(M + 31) / 32, (N + 7) / 8" --block 32,8
#define DATA_TYPE float
#define FLOAT_N 3214212.01f
__global__ void reduce_kernel(int m, int n, DATA_TYPE *mean, DATA_TYPE *std, DATA_TYPE *data) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if ((i < n) && (j < m)) {
        data[i * m + j] -= mean[j];
        data[i * m + j] /= (sqrtf((float)n) * std[j]);
    }
}
