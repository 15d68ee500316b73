// CHECK loops.c:layernorm --permit reassociate --grid n --block 128
__global__ void layernorm(const float *x, const float *g, const float *b, float *y, int n, int m) {
    __shared__ float red[128];
    int t = threadIdx.x;
    const float *row = x + blockIdx.x * m;
    float s = 0.0f;
    for (int j = t; j < m; j += 128) s += row[j];
    red[t] = s;
    __syncthreads();
    for (int k = 64; k > 0; k >>= 1) {
        if (t < k) red[t] += red[t + k];
        __syncthreads();
    }
    float mu = red[0] / m;
    __syncthreads();
    s = 0.0f;
    for (int j = t; j < m; j += 128) {
        float d = row[j] - mu;
        s += d * d;
    }
    red[t] = s;
    __syncthreads();
    for (int k = 64; k > 0; k >>= 1) {
        if (t < k) red[t] += red[t + k];
        __syncthreads();
    }
    float r = 1.0f / sqrtf(red[0] / m + 1e-5f);
    for (int j = t; j < m; j += 128) y[blockIdx.x * m + j] = (row[j] - mu) * r * g[j] + b[j];
}
