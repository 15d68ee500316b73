// CHECK loops.c:transpose
#define TILE 32
__global__ void transpose_tiled(const float *in, float *out, int rows, int cols) {
    __shared__ float tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += 8)
        if (x < cols && (y + j) < rows) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * cols + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += 8)
        if (x < rows && (y + j) < cols) out[(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
}
void transpose(int n, int m, const float *in, float *out) {
    dim3 block(TILE, 8);
    dim3 grid((m + TILE - 1) / TILE, (n + TILE - 1) / TILE);
    transpose_tiled<<<grid, block>>>(in, out, n, m);
}
