// CHECK loops.c:transposed_conv1d --grid "(n + k - 1 + 127) / 128" --block 128 --where "n >= 1 && k >= 1"
__global__ void conv_transpose1d(const float *x, const float *w, float *y, int n, int k) {
    int o = blockIdx.x * blockDim.x + threadIdx.x;
    int L = n + k - 1;
    if (o >= L) return;
    float acc = 0.0f;
    for (int t = 0; t < k; ++t) {
        int i = o - t;
        if (i < 0 || i >= n) continue;
        acc += x[i] * w[t];
    }
    y[o] = acc;
}
