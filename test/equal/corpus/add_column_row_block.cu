// CHECK loops.c:add_column --grid n --block 128
__global__ void add_column(const float *x, const float *b, float *y, int m) {
    int row = blockIdx.x;
    float v = b[row];
    for (int j = threadIdx.x; j < m; j += blockDim.x) y[row * m + j] = x[row * m + j] + v;
}
