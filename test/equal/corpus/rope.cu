// CHECK loops.c:rope --grid n --block 64
__global__ void rope(const float *x, const float *c, const float *s, float *y, int d) {
    int i = blockIdx.x;
    for (int j = threadIdx.x; j < d; j += blockDim.x) {
        float a = x[i * 2 * d + j], b = x[i * 2 * d + d + j];
        float co = c[i * d + j], si = s[i * d + j];
        y[i * 2 * d + j] = a * co - b * si;
        y[i * 2 * d + d + j] = b * co + a * si;
    }
}
