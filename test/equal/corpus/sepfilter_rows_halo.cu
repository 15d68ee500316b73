// CHECK loops.c:sepfilter_rows --grid "(w + 63) / 64, (h + 3) / 4" --block "64, 4"
#define R 3
#define TW 64
#define TH 4
__global__ void convRows(const float *kern, const float *src, float *dst, int w, int h) {
    __shared__ float s[TH][TW + 2 * R];
    const int x = blockIdx.x * TW + threadIdx.x, y = blockIdx.y * TH + threadIdx.y;
    if (y < h) {
        s[threadIdx.y][threadIdx.x + R] = x < w ? src[y * w + x] : 0;
        if (threadIdx.x < R) s[threadIdx.y][threadIdx.x] = x >= R && x - R < w ? src[y * w + x - R] : 0;
        if (threadIdx.x >= TW - R) s[threadIdx.y][threadIdx.x + 2 * R] = x + R < w ? src[y * w + x + R] : 0;
    }
    __syncthreads();
    if (x >= w || y >= h) return;
    float sum = 0;
#pragma unroll
    for (int j = -R; j <= R; j++)
        if (x + j >= 0 && x + j < w) sum += kern[R + j] * s[threadIdx.y][threadIdx.x + R + j];
    dst[y * w + x] = sum;
}
