// CHECK loops.c:conv1d_stride --where "stride >= 1" --grid "(O + 127) / 128" --block 128
__global__ void c1(const float *x, const float *w, float *y, int L, int O, int K, int stride) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= O) return;
    float s = 0.0f;
    for (int k = 0; k < K; ++k) {
        int p = i * stride + k;
        if (p < L) s += x[p] * w[k];
    }
    y[i] = s;
}
