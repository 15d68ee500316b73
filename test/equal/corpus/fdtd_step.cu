// CHECK loops.c:fdtd_step --grid "(m + 31) / 32, (n + 7) / 8" --block 32,8
__global__ void fdtd_step3(int n, int m, const float *ex, const float *ey, float *hz)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if ((i < (n - 1)) && (j < (m - 1)))
        hz[i * m + j] = hz[i * m + j] - 0.7f * (ex[i * m + (j + 1)] - ex[i * m + j] + ey[(i + 1) * m + j] - ey[i * m + j]);
}
