// CHECK loops.c:add_row --grid "(n * m + 255) / 256" --block 256
__global__ void bias_flat(const float *x, const float *b, float *y, int n, int m) {
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx < n * m) {
        int col = idx % m;
        y[idx] = x[idx] + b[col];
    }
}
