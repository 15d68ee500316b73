// CHECK loops.c:avgpool2 --grid "(w + 15) / 16, (h + 3) / 4, c" --block "16,4,1"
__global__ void avg_pool(const float *__restrict__ in, float *__restrict__ out, int c, int h, int w) {
    int ox = blockIdx.x * blockDim.x + threadIdx.x;
    int oy = blockIdx.y * blockDim.y + threadIdx.y;
    int ch = blockIdx.z;
    if (ox >= w || oy >= h) return;
    const float *p = in + (ch * 2 * h + 2 * oy) * (2 * w) + 2 * ox;
    out[(ch * h + oy) * w + ox] = 0.25f * (p[0] + p[1] + p[2 * w] + p[2 * w + 1]);
}
