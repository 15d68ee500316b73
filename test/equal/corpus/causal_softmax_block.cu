// CHECK loops.c:softmax_causal_scaled --permit reassociate --grid n --block 128
__global__ void causal(const float *S, float *P, int n, float scale) {
    __shared__ float red[128];
    int i = blockIdx.x, t = threadIdx.x;
    float mx = -INFINITY;
    for (int j = t; j <= i; j += 128) mx = fmaxf(mx, S[i * n + j] * scale);
    red[t] = mx;
    __syncthreads();
    for (int s = 64; s > 0; s >>= 1) {
        if (t < s) red[t] = fmaxf(red[t], red[t + s]);
        __syncthreads();
    }
    mx = red[0];
    __syncthreads();
    float sum = 0.0f;
    for (int j = t; j <= i; j += 128) sum += expf(S[i * n + j] * scale - mx);
    red[t] = sum;
    __syncthreads();
    for (int s = 64; s > 0; s >>= 1) {
        if (t < s) red[t] += red[t + s];
        __syncthreads();
    }
    float inv = red[0];
    for (int j = t; j < n; j += 128) P[i * n + j] = j <= i ? expf(S[i * n + j] * scale - mx) / inv : 0.0f;
}
