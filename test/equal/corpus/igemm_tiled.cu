// CHECK loops.c:igemm --grid "(n + 7) / 8, (n + 7) / 8" --block 8,8
__global__ void imm(const int *A, const int *B, int *C, int n) {
    __shared__ int a[8][8], b[8][8];
    int x = threadIdx.x, y = threadIdx.y, i = blockIdx.y * 8 + y, j = blockIdx.x * 8 + x, s = 0;
    for (int t = 0; t < n; t += 8) {
        a[y][x] = (i < n && t + x < n) ? A[i * n + t + x] : 0;
        b[y][x] = (j < n && t + y < n) ? B[(t + y) * n + j] : 0;
        __syncthreads();
        for (int k = 0; k < 8; k++) s += a[y][k] * b[k][x];
        __syncthreads();
    }
    if (i < n && j < n) C[i * n + j] = s;
}
