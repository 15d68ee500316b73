// CHECK loops.c:l1_rows --grid "(m + 15) / 16, (n + 15) / 16" --block 16,16
__global__ void l1(const float *a, const float *b, float *out, int n, int m, int d) {
    __shared__ float sa[16][17], sb[16][17];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int i = blockIdx.y * 16 + ty, j = blockIdx.x * 16 + tx, jb = blockIdx.x * 16 + ty;
    float s = 0.f;
    for (int k0 = 0; k0 < d; k0 += 16) {
        sa[ty][tx] = (i < n && k0 + tx < d) ? a[i * d + k0 + tx] : 0.f;
        sb[ty][tx] = (jb < m && k0 + tx < d) ? b[jb * d + k0 + tx] : 0.f;
        __syncthreads();
        for (int k = 0; k < 16; k++) s += fabsf(sa[ty][k] - sb[tx][k]);
        __syncthreads();
    }
    if (i < n && j < m) out[i * m + j] = s;
}
