// CHECK loops.c:softmax --permit reassociate --grid "(n + 63) / 64" --block 64
__global__ void softmax_online(const float *x, float *y, int n, int m) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;
    float mx = -INFINITY, sum = 0.0f;
    for (int j = 0; j < m; j++) {
        float v = x[row * m + j], old = mx;
        mx = fmaxf(mx, v);
        sum = sum * expf(old - mx) + expf(v - mx);
    }
    for (int j = 0; j < m; j++) y[row * m + j] = expf(x[row * m + j] - mx) / sum;
}
