// CHECK loops.c:heat3d --grid "(n + 7) / 8, (n + 7) / 8, (n + 3) / 4" --block 8,8,4
__global__ void heat3d(const float *u, float *v, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x > 0 && x < n - 1 && y > 0 && y < n - 1 && z > 0 && z < n - 1) {
        int c = z * n * n + y * n + x;
        v[c] = 0.4f * u[c] + 0.1f * (u[c - 1] + u[c + 1] + u[c - n] + u[c + n] + u[c - n * n] + u[c + n * n]);
    }
}
