// CHECK loops.c:syrk --grid "(n + 15) / 16, (n + 15) / 16" --block 16,16
__global__ void syrk_tiled(int n, int k, const float *A, float *C) {
    __shared__ float a[16][16], b[16][17];
    if (blockIdx.x > blockIdx.y) return;
    int tx = threadIdx.x, ty = threadIdx.y;
    int i = blockIdx.y * 16 + ty, j = blockIdx.x * 16 + tx, jr = blockIdx.x * 16 + ty;
    float s = 0.0f;
    for (int p = 0; p < k; p += 16) {
        a[ty][tx] = i < n && p + tx < k ? A[i * k + p + tx] : 0.0f;
        b[ty][tx] = jr < n && p + tx < k ? A[jr * k + p + tx] : 0.0f;
        __syncthreads();
        for (int q = 0; q < 16; q++) s += a[ty][q] * b[tx][q];
        __syncthreads();
    }
    if (i < n && j <= i) C[i * n + j] = s;
}
