// CHECK loops.c:periodic --where "n > 0" --grid "(n + 255) / 256" --block 256
__global__ void k(const float *u, float *v, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int r = i == n - 1 ? 0 : i + 1;
    int l = i == 0 ? n - 1 : i - 1;
    v[i] = 0.5f * u[i] + 0.25f * (u[r] + u[l]);
}
