// CHECK loops.c:heat3d --grid "(n + 15) / 16, (n + 7) / 8" --block 16,8
__global__ void heat3d_z(const float *u, float *v, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || x >= n - 1 || y < 1 || y >= n - 1) return;
    int stride = n * n, c = y * n + x;
    float behind = u[c], current = u[c + stride];
    for (int z = 1; z < n - 1; z++) {
        int at = z * stride + c;
        float front = u[at + stride];
        v[at] = 0.4f * current + 0.1f * (u[at - 1] + u[at + 1] + u[at - n] + u[at + n] + behind + front);
        behind = current;
        current = front;
    }
}
