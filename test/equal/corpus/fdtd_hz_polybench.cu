// CHECK loops.c:fdtd_hz --grid "(w + 31) / 32, (h + 7) / 8" --block 32,8
__global__ void fdtd_step3_kernel(int h, int w, float *ex, float *ey, float *hz) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if ((i < h - 1) && (j < w - 1))
        hz[i * w + j] = hz[i * w + j] - 0.7f * (ex[i * w + (j + 1)] - ex[i * w + j] + ey[(i + 1) * w + j] - ey[i * w + j]);
}
