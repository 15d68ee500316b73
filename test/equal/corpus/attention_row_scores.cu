// CHECK loops.c:attention_rows --permit reassociate --grid n --block 128 --where 'n <= 1024 && n >= 1 && d <= 128'
__global__ void attn(const float *q, const float *k, const float *v, float *o, int n, int d, float sc) {
    __shared__ float p[1024];
    __shared__ float red[128];
    int i = blockIdx.x, t = threadIdx.x;
    float mx = -INFINITY;
    for (int j = t; j < n; j += blockDim.x) {
        float s = 0.0f;
        for (int c = 0; c < d; c++) s += q[i * d + c] * k[j * d + c];
        s *= sc;
        p[j] = s;
        mx = fmaxf(mx, s);
    }
    red[t] = mx;
    __syncthreads();
    for (int w = 64; w > 0; w /= 2) {
        if (t < w) red[t] = fmaxf(red[t], red[t + w]);
        __syncthreads();
    }
    mx = red[0];
    __syncthreads();
    float l = 0.0f;
    for (int j = t; j < n; j += blockDim.x) {
        float e = expf(p[j] - mx);
        p[j] = e;
        l += e;
    }
    red[t] = l;
    __syncthreads();
    for (int w = 64; w > 0; w /= 2) {
        if (t < w) red[t] += red[t + w];
        __syncthreads();
    }
    l = red[0];
    for (int c = t; c < d; c += blockDim.x) {
        float a = 0.0f;
        for (int j = 0; j < n; j++) a += p[j] / l * v[j * d + c];
        o[i * d + c] = a;
    }
}
