// CHECK loops.c:conv_rows --grid "(w + 15) / 16, (h + 3) / 4" --block 16,4
#define KERNEL_RADIUS 4
__global__ void convolutionRows(float *out, const float *in, const float *k, int w, int h) {
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
    if (x >= w || y >= h) return;
    float sum = 0;
    for (int d = -KERNEL_RADIUS; d <= KERNEL_RADIUS; d++) {
        int c = x + d;
        if (c >= 0 && c < w) sum += in[y * w + c] * k[KERNEL_RADIUS - d];
    }
    out[y * w + x] = sum;
}
