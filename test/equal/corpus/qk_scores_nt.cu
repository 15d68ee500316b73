// CHECK loops.c:qk_scores --grid "(n + 15) / 16, (n + 15) / 16" --block "16,16"
__global__ void qk(const float *q, const float *k, float *s, int n, int d, float scale) {
    __shared__ float sq[16][17], sk[16][17];
    int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
    int jr = blockIdx.x * 16 + threadIdx.y;
    float acc = 0.f;
    for (int c0 = 0; c0 < d; c0 += 16) {
        int c = c0 + threadIdx.x;
        sq[threadIdx.y][threadIdx.x] = i < n && c < d ? q[i * d + c] : 0.f;
        sk[threadIdx.y][threadIdx.x] = jr < n && c < d ? k[jr * d + c] : 0.f;
        __syncthreads();
        for (int c = 0; c < 16; c++) acc += sq[threadIdx.y][c] * sk[threadIdx.x][c];
        __syncthreads();
    }
    if (i < n && j < n) s[i * n + j] = acc * scale;
}
