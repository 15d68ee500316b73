// CHECK loops.c:laplace
#define B 16
__global__ void laplace_tile(const float *u, float *v, int h, int w) {
    __shared__ float s[B + 2][B + 2];
    int j = blockIdx.x * B + threadIdx.x, i = blockIdx.y * B + threadIdx.y;
    int lx = threadIdx.x + 1, ly = threadIdx.y + 1;
    if (i < h && j < w) {
        s[ly][lx] = u[i * w + j];
        if (threadIdx.x == 0 && j > 0) s[ly][0] = u[i * w + j - 1];
        if (threadIdx.x == B - 1 && j < w - 1) s[ly][B + 1] = u[i * w + j + 1];
        if (threadIdx.y == 0 && i > 0) s[0][lx] = u[(i - 1) * w + j];
        if (threadIdx.y == B - 1 && i < h - 1) s[B + 1][lx] = u[(i + 1) * w + j];
    }
    __syncthreads();
    if (i > 0 && i < h - 1 && j > 0 && j < w - 1)
        v[i * w + j] = s[ly - 1][lx] + s[ly + 1][lx] + s[ly][lx - 1] + s[ly][lx + 1] - 4.0f * s[ly][lx];
}
void laplace(int h, int w, const float *u, float *v) {
    dim3 block(B, B), grid((w + B - 1) / B, (h + B - 1) / B);
    laplace_tile<<<grid, block>>>(u, v, h, w);
}
