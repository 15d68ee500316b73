// CHECK loops.c:cumsum_rows --grid "(n + 63) / 64" --block 64
__global__ void cumsum(const float *x, float *y, int n, int m) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float s = 0.0f;
        for (int j = 0; j < m; j++) {
            s += x[i * m + j];
            y[i * m + j] = s;
        }
    }
}
