// CHECK loops.c:srad_coef --bind cols=w,rows=h,q0sqr=q0 --grid "(w + 15) / 16, (h + 15) / 16" --block 16,16
#define BLOCK_SIZE 16
__global__ void srad_cuda_1(float *c, const float *J, int cols, int rows, float q0sqr) {
    __shared__ float tile[BLOCK_SIZE + 2][BLOCK_SIZE + 2];
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * BLOCK_SIZE + tx, y = blockIdx.y * BLOCK_SIZE + ty;
    for (int dy = ty; dy < BLOCK_SIZE + 2; dy += BLOCK_SIZE)
        for (int dx = tx; dx < BLOCK_SIZE + 2; dx += BLOCK_SIZE) {
            int gy = min(max((int)(blockIdx.y * BLOCK_SIZE) + dy - 1, 0), rows - 1);
            int gx = min(max((int)(blockIdx.x * BLOCK_SIZE) + dx - 1, 0), cols - 1);
            tile[dy][dx] = J[gy * cols + gx];
        }
    __syncthreads();
    if (x < cols && y < rows) {
        float jc = tile[ty + 1][tx + 1];
        float g = tile[ty][tx + 1] + tile[ty + 2][tx + 1] + tile[ty + 1][tx] + tile[ty + 1][tx + 2] - 4.0f * jc;
        c[y * cols + x] = 1.0f / (1.0f + g / jc / q0sqr);
    }
}
