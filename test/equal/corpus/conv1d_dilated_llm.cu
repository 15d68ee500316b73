// CHECK loops.c:conv1d_dilated --where "dil >= 1 && K >= 1" --grid "(L + 127) / 128, O" --block 128
__global__ void conv1d_dilated(const float *x, const float *w, float *y, int C, int K, int L, int O, int dil) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int o = blockIdx.y;
    if (t >= L || o >= O) return;
    int in_len = L + (K - 1) * dil;
    float acc = 0.0f;
    for (int c = 0; c < C; c++) {
        const float *xc = x + c * in_len;
        const float *wc = w + (o * C + c) * K;
        for (int k = 0; k < K; k++) acc += xc[t + k * dil] * wc[k];
    }
    y[o * L + t] = acc;
}
