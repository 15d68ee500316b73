// CHECK loops.c:first_ge --grid "(n + 63) / 64" --block 64
__global__ void first_reaching(const float *x, int *y, float t, int n, int m) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int j = 0;
        while (j < m && x[i * m + j] < t) ++j;
        y[i] = j;
    }
}
