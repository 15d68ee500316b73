// CHECK loops.c:matmul --where "n % 16 == 0 && n >= 32" --grid "n / 16, n / 16" --block 16,16
__global__ void mm(const float *a, const float *b, float *c, int n) {
    __shared__ float sa[3][16][16], sb[3][16][16];
    int tx = threadIdx.x, ty = threadIdx.y, i = blockIdx.y * 16 + ty, j = blockIdx.x * 16 + tx;
    float r = 0;
    int wr = 2, rd = 0;
    for (int s = 0; s < 2; s++) {
        sa[s][ty][tx] = a[i * n + s * 16 + tx];
        sb[s][ty][tx] = b[(s * 16 + ty) * n + j];
    }
    for (int t = 0; t < n / 16; t++) {
        __syncthreads();
        if (t + 2 < n / 16) {
            sa[wr][ty][tx] = a[i * n + (t + 2) * 16 + tx];
            sb[wr][ty][tx] = b[((t + 2) * 16 + ty) * n + j];
        }
        for (int k = 0; k < 16; k++) r += sa[rd][ty][k] * sb[rd][k][tx];
        wr = wr == 2 ? 0 : wr + 1;
        rd = (rd + 1) % 3;
    }
    c[i * n + j] = r;
}
