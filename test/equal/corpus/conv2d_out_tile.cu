// CHECK loops.c:conv2d_same --grid "(w + 13) / 14, (h + 13) / 14" --block 16,16
#define MASK 3
#define O_TILE 14
#define BLOCK_W (O_TILE + MASK - 1)
__global__ void conv(const float *in, const float *__restrict__ k, float *out, int h, int w) {
    __shared__ float Ns[BLOCK_W][BLOCK_W];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row_o = blockIdx.y * O_TILE + ty, col_o = blockIdx.x * O_TILE + tx;
    int row_i = row_o - MASK / 2, col_i = col_o - MASK / 2;
    if ((row_i >= 0) && (row_i < h) && (col_i >= 0) && (col_i < w)) Ns[ty][tx] = in[row_i * w + col_i];
    else Ns[ty][tx] = 0.0f;
    __syncthreads();
    float output = 0.0f;
    if (ty < O_TILE && tx < O_TILE) {
        for (int i = 0; i < MASK; i++)
            for (int j = 0; j < MASK; j++) output += k[i * MASK + j] * Ns[i + ty][j + tx];
        if (row_o < h && col_o < w) out[row_o * w + col_o] = output;
    }
}
