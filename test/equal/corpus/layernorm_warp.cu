// CHECK loops.c:layernorm --permit reassociate --grid "(n + 3) / 4" --block 128
__device__ float wsum(float v) {
    for (int o = 16; o > 0; o >>= 1) v += __shfl_xor_sync(0xffffffff, v, o);
    return v;
}
__global__ void layernorm_warp(const float *x, const float *g, const float *b, float *y, int n, int m) {
    int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (row >= n) return;
    const float *p = x + row * m;
    float mu = 0.0f, var = 0.0f;
    for (int j = lane; j < m; j += 32) mu += p[j];
    mu = wsum(mu) / m;
    for (int j = lane; j < m; j += 32) var += (p[j] - mu) * (p[j] - mu);
    var = wsum(var);
    float r = 1.0f / sqrtf(var / m + 1e-5f);
    for (int j = lane; j < m; j += 32) y[row * m + j] = (p[j] - mu) * r * g[j] + b[j];
}
