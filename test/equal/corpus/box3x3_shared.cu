// CHECK loops.c:box3x3 --grid "(w + 13) / 14, (h + 13) / 14" --block 16,16
#define TILE 16
#define OUT (TILE - 2)
__global__ void box_tile(const float *in, float *out, int h, int w) {
    __shared__ float t[TILE][TILE];
    int x = blockIdx.x * OUT + threadIdx.x, y = blockIdx.y * OUT + threadIdx.y;
    t[threadIdx.y][threadIdx.x] = (x < w && y < h) ? in[y * w + x] : 0.0f;
    __syncthreads();
    if (threadIdx.x < OUT && threadIdx.y < OUT && x + 2 < w && y + 2 < h) {
        float s = 0.0f;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) s += t[threadIdx.y + i][threadIdx.x + j];
        out[(y + 1) * w + x + 1] = s / 9.0f;
    }
}
