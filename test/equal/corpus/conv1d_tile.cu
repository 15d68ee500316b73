// CHECK loops.c:conv1d --grid "(n + 127) / 128" --block 128
__global__ void conv1d_tile(const float *x, const float *w, float *y, int n) {
    __shared__ float s[134];
    __shared__ float ws[7];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    for (int k = t; k < 134; k += 128)
        if (blockIdx.x * 128 + k < n + 6) s[k] = x[blockIdx.x * 128 + k];
    if (t < 7) ws[t] = w[t];
    __syncthreads();
    if (i < n) {
        float acc = 0.0f;
        for (int k = 0; k < 7; k++) acc += s[t + k] * ws[k];
        y[i] = acc;
    }
}
