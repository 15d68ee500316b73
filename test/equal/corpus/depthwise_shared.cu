// CHECK loops.c:depthwise_pad --grid "(w + 15) / 16, (h + 15) / 16, c" --block "16,16"
#define TW 16
__global__ void dw(const float *x, const float *f, float *y, int c, int h, int w) {
    __shared__ float tile[TW + 2][TW + 2];
    __shared__ float k[9];
    int ch = blockIdx.z;
    int tid = threadIdx.y * TW + threadIdx.x;
    if (tid < 9) k[tid] = f[ch * 9 + tid];
    int ox = blockIdx.x * TW, oy = blockIdx.y * TW;
    for (int r = threadIdx.y; r < TW + 2; r += TW)
        for (int q = threadIdx.x; q < TW + 2; q += TW) {
            int gy = oy + r - 1, gx = ox + q - 1;
            float v = 0.f;
            if (gy >= 0 && gy < h && gx >= 0 && gx < w) v = x[(ch * h + gy) * w + gx];
            tile[r][q] = v;
        }
    __syncthreads();
    int i = oy + threadIdx.y, j = ox + threadIdx.x;
    if (i < h && j < w) {
        float s = 0.f;
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++) s += tile[threadIdx.y + a][threadIdx.x + b] * k[a * 3 + b];
        y[(ch * h + i) * w + j] = s;
    }
}
