// CHECK loops.c:lbm_stream --grid "(nx + 31) / 32, (ny + 7) / 8" --block "32, 8"
__global__ void stream_collide(const float *f, float *g, int nx, int ny) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= nx || y >= ny) return;
    int size = nx * ny;
    int left = x == 0 ? nx - 1 : x - 1, up = y == ny - 1 ? 0 : y + 1;
    float f0 = f[y * nx + left], f1 = f[size + up * nx + x];
    float rho = f0 + f1;
    g[y * nx + x] = f0 - 0.5f * (f0 - rho * 0.5f);
    g[size + y * nx + x] = f1 - 0.5f * (f1 - rho * 0.5f);
}
