// CHECK loops.c:saxpy --grid 80
__global__ void saxpy(int n, float alpha, const float *x, float *y)
{
    const int tid = threadIdx.x;
    const int stride = blockDim.x * gridDim.x;
    for (int i = blockIdx.x * blockDim.x + tid; i < n; i += stride)
        y[i] = alpha * x[i] + y[i];
}
