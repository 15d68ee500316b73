// CHECK loops.c:fdtd2d --where "t >= 0 && NX >= 1 && NY >= 1"
typedef float DATA_TYPE;
__global__ void fdtd_step1_kernel(int nx, int ny, DATA_TYPE *_fict_, DATA_TYPE *ex, DATA_TYPE *ey, DATA_TYPE *hz, int t) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if ((i < nx) && (j < ny)) {
        if (i == 0) ey[i * ny + j] = _fict_[t];
        else ey[i * ny + j] = ey[i * ny + j] - 0.5f * (hz[i * ny + j] - hz[(i - 1) * ny + j]);
    }
}
__global__ void fdtd_step2_kernel(int nx, int ny, DATA_TYPE *ex, DATA_TYPE *ey, DATA_TYPE *hz, int t) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if ((i < nx) && (j < ny) && (j > 0)) {
        ex[i * ny + j] = ex[i * ny + j] - 0.5f * (hz[i * ny + j] - hz[i * ny + (j - 1)]);
    }
}
void fdtdCuda(int NX, int NY, int t, DATA_TYPE *fict, DATA_TYPE *ex, DATA_TYPE *ey, DATA_TYPE *hz) {
    dim3 block(32, 8);
    dim3 grid((NY + block.x - 1) / block.x, (NX + block.y - 1) / block.y);
    fdtd_step1_kernel<<<grid, block>>>(NX, NY, fict, ex, ey, hz, t);
    cudaDeviceSynchronize();
    fdtd_step2_kernel<<<grid, block>>>(NX, NY, ex, ey, hz, t);
    cudaDeviceSynchronize();
}
