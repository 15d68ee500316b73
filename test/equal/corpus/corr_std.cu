// CHECK loops.c:corr_std --grid "(M + 255) / 256" --block 256
#define DATA_TYPE float
#define EPS 0.005f
#define SQRT_OF_ARRAY_CELL(array, j) sqrt(array[j])
__global__ void std_kernel(int m, int n, DATA_TYPE eps, DATA_TYPE *mean, DATA_TYPE *std, DATA_TYPE *data) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < m) {
        std[j] = 0.0;
        for (int i = 0; i < n; i++) std[j] += (data[i * m + j] - mean[j]) * (data[i * m + j] - mean[j]);
        std[j] /= n;
        std[j] = sqrtf(std[j]);
        if (std[j] <= eps) {
            std[j] = 1.0;
        }
    }
}
