// CHECK loops.c:attention --where "D == 8" --grid "(T + 63) / 64" --block 64
__global__ void attn(const float *Q, const float *K, const float *V, float *O, float scale, int T, int D) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= T) return;
    float m = -INFINITY, l = 0.0f, acc[8];
    for (int d = 0; d < 8; d++) acc[d] = 0.0f;
    for (int j = 0; j <= i; j++) {
        float s = 0.0f;
        for (int d = 0; d < 8; d++) s += Q[i * 8 + d] * K[j * 8 + d];
        m = fmaxf(m, s * scale);
    }
    for (int j = 0; j <= i; j++) {
        float s = 0.0f;
        for (int d = 0; d < 8; d++) s += Q[i * 8 + d] * K[j * 8 + d];
        float p = expf(s * scale - m);
        l += p;
        for (int d = 0; d < 8; d++) acc[d] += p * V[j * 8 + d];
    }
    for (int d = 0; d < 8; d++) O[i * 8 + d] = acc[d] / l;
}
