// CHECK loops.c:matmul --where "n % 16 == 0" --grid "n / 16, n / 16" --block 16,16
__global__ void mm(const float *a, const float *b, float *c, int n) {
    __shared__ float buf[2][2][16][16];
    int tx = threadIdx.x, ty = threadIdx.y, i = blockIdx.y * 16 + ty, j = blockIdx.x * 16 + tx;
    float r = 0;
    buf[0][0][ty][tx] = a[i * n + tx];
    buf[0][1][ty][tx] = b[ty * n + j];
    for (int t = 0, p = 0; t < n; t += 16, p = !p) {
        __syncthreads();
        if (t + 16 < n) {
            buf[!p][0][ty][tx] = a[i * n + t + 16 + tx];
            buf[!p][1][ty][tx] = b[(t + 16 + ty) * n + j];
        }
        for (int k = 0; k < 16; k++) r += buf[p][0][ty][k] * buf[p][1][k][tx];
    }
    c[i * n + j] = r;
}
