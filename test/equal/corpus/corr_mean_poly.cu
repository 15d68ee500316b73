// CHECK loops.c:correlation_mean --where "n >= 1" --grid "(m+255)/256" --block 256 --kernel mean_kernel
__global__ void mean_kernel(float *mean, float *data, int m, int n)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < m) {
        mean[j] = 0.0;
        int i;
        for (i = 0; i < n; i++)
            mean[j] += data[i * m + j];
        mean[j] /= (float)n;
    }
}
