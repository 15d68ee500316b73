// CHECK loops.c:sobel_bytes --where "w >= 3 && h >= 3" --grid "(w - 2 + 15) / 16, (h - 2 + 15) / 16" --block 16,16
__global__ void sobel(const unsigned char *in, unsigned char *out, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (x >= w - 1 || y >= h - 1) return;
    const unsigned char *a = in + (y - 1) * w + x, *b = in + y * w + x, *c = in + (y + 1) * w + x;
    int gx = -a[-1] + a[1] - 2 * b[-1] + 2 * b[1] - c[-1] + c[1];
    int gy = -a[-1] - 2 * a[0] - a[1] + c[-1] + 2 * c[0] + c[1];
    out[y * w + x] = (unsigned char)min(abs(gx) + abs(gy), 255);
}
