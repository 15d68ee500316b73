// CHECK loops.c:polynomial --grid "(n + 255) / 256" --block 256
__global__ void poly(const float *x, const float *c, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i], acc = c[3];
        for (int k = 2; k >= 0; k--) acc = acc * v + c[k];
        y[i] = acc;
    }
}
