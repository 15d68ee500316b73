// CHECK loops.c:avgpool1d_pad --where "P >= 0 && K >= 1" --grid "(L + 127) / 128, n" --block 128
__global__ void avg_pool1d(const float *x, float *y, int L, int K, int P) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y;
    if (t >= L) return;
    float sum = 0.0f;
    for (int k = 0; k < K; k++) {
        int pos = t + k - P;
        if (pos >= 0 && pos < L) sum += x[row * L + pos];
    }
    y[row * L + t] = sum / K;
}
