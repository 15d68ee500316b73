// CHECK loops.c:fdtd3d_ez --grid "(nx * ny * nz + 127) / 128" --block 128
__global__ void update_ez(float *ez, const float *hx, const float *hy, float k, int nx, int ny, int nz) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= nx * ny * nz) return;
    int x = i % nx;
    int y = (i / nx) % ny;
    if (x > 0 && y > 0) ez[i] += k * ((hy[i] - hy[i - 1]) - (hx[i] - hx[i - nx]));
}
