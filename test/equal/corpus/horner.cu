// CHECK loops.c:horner --where "d >= 1" --grid "(n + 255) / 256" --block 256
__global__ void k(int n, int d, const float *c, const float *x, float *y) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) {
        float xi = x[i], r = 0.0f;
        for (int j = 0; j < d; ++j) r = r * xi + c[j];
        y[i] = r;
    }
}
