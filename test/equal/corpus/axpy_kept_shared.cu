// CHECK loops.c:saxpy --grid "(n + 127) / 128" --block 128
__global__ void saxpy(int n, float alpha, const float *x, float *y)
{
    __shared__ float kept[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    kept[threadIdx.x] = y[i];
    y[i] = alpha * x[i] + kept[threadIdx.x];
}
