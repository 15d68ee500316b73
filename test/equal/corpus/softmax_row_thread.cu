// CHECK loops.c:softmax --grid "(n + 63) / 64" --block 64
__global__ void softmax_naive(const float *x, float *y, int n, int m) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;
    float mx = -INFINITY;
    for (int j = 0; j < m; j++) mx = fmaxf(mx, x[row * m + j]);
    float sum = 0.0f;
    for (int j = 0; j < m; j++) sum += expf(x[row * m + j] - mx);
    for (int j = 0; j < m; j++) y[row * m + j] = expf(x[row * m + j] - mx) / sum;
}
