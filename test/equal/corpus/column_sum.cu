// CHECK loops.c:column_sum --grid "(m + 127) / 128" --block 128
__global__ void column_sum(const float *x, float *y, int n, int m) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < m) {
        float s = 0.0f;
        for (int i = 0; i < n; i++) s += x[i * m + j];
        y[j] = s;
    }
}
