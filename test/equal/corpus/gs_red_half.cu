// CHECK loops.c:gs_red --grid "(n + 15) / 16, (n + 15) / 16" --block "16, 16"
__global__ void red_sweep(float *u, const float *f, int n) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < 1 || j < 1 || i >= n - 1 || j >= n - 1) return;
    if ((i + j) & 1) return;
    u[i * n + j] = 0.25f * (u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] + u[i * n + j + 1] -
                            f[i * n + j]);
}
