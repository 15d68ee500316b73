// CHECK loops.c:fdtd_ey --grid "(w + 31) / 32, (h + 7) / 8" --block 32,8
__global__ void fdtd_step1_kernel(int h, int w, float *ey, float *hz) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if ((i < h) && (j < w)) {
        if (i > 0) ey[i * w + j] = ey[i * w + j] - 0.5f * (hz[i * w + j] - hz[(i - 1) * w + j]);
    }
}
