// CHECK loops.c:dilate3 --grid "(w + 15) / 16, (h + 15) / 16" --block "16, 16"
#define B 16
__global__ void dilate(const unsigned char *in, unsigned char *out, int w, int h) {
    __shared__ unsigned char t[B + 2][B + 2];
    int x = blockIdx.x * B + threadIdx.x, y = blockIdx.y * B + threadIdx.y;
    for (int dy = threadIdx.y; dy < B + 2; dy += B)
        for (int dx = threadIdx.x; dx < B + 2; dx += B) {
            int gx = blockIdx.x * B + dx - 1, gy = blockIdx.y * B + dy - 1;
            t[dy][dx] = (gx >= 0 && gx < w && gy >= 0 && gy < h) ? in[gy * w + gx] : 0;
        }
    __syncthreads();
    if (x >= w || y >= h) return;
    unsigned char m = 0;
    for (int p = 0; p < 3; p++)
        for (int q = 0; q < 3; q++) m = max(m, t[threadIdx.y + p][threadIdx.x + q]);
    out[y * w + x] = m;
}
