// CHECK loops.c:transpose_rc --grid "(cols + 31) / 32, (rows + 31) / 32" --block 32,8
__global__ void transpose(const float *in, float *out, int rows, int cols) {
    __shared__ float tile[32][32];
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * 32 + tx, y = blockIdx.y * 32 + ty;
    for (int k = 0; k < 32; k += 8)
        if (x < cols && y + k < rows) tile[ty + k][tx ^ (ty + k)] = in[(y + k) * cols + x];
    __syncthreads();
    x = blockIdx.y * 32 + tx;
    y = blockIdx.x * 32 + ty;
    for (int k = 0; k < 32; k += 8)
        if (x < rows && y + k < cols) out[(y + k) * rows + x] = tile[tx][tx ^ (ty + k)];
}
