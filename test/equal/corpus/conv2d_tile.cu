// CHECK loops.c:conv2d --grid "(w + 13) / 14, (h + 13) / 14" --block 16,16
#define BLOCK 16
#define O_TILE 14
__global__ void conv2d_tiled(const float *in, const float *k, float *out, int h, int w) {
    __shared__ float tile[BLOCK][BLOCK];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * O_TILE + ty, col = blockIdx.x * O_TILE + tx;
    if (row < h && col < w) tile[ty][tx] = in[row * w + col];
    else tile[ty][tx] = 0.0f;
    __syncthreads();
    if (ty < O_TILE && tx < O_TILE && row < h - 2 && col < w - 2) {
        float acc = 0.0f;
        for (int p = 0; p < 3; ++p)
            for (int q = 0; q < 3; ++q) acc += tile[ty + p][tx + q] * k[p * 3 + q];
        out[row * w + col] = acc;
    }
}
