// CHECK loops.c:matrix_copy --grid "(m + 31) / 32, (n + 31) / 32" --block 32,8
__global__ void copySharedMem(float *out, const float *in, int n, int m) {
    __shared__ float tile[32 * 32];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < m && y + j < n) tile[(threadIdx.y + j) * 32 + threadIdx.x] = in[(y + j) * m + x];
    __syncthreads();
    for (int j = 0; j < 32; j += 8)
        if (x < m && y + j < n) out[(y + j) * m + x] = tile[(threadIdx.y + j) * 32 + threadIdx.x];
}
