// CHECK loops.c:covar_center --grid "(m + blockDim.x - 1) / blockDim.x, (n + blockDim.y - 1) / blockDim.y"
__global__ void reduce_kernel(int n, int m, float *mean, float *data)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if ((i < n) && (j < m)) { data[i * m + j] -= mean[j]; }
}
