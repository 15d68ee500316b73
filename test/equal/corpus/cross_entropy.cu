// CHECK loops.c:cross_entropy --permit reassociate --grid n --block 64
__global__ void cross_entropy(const float *x, const int *label, float *loss, int m) {
    __shared__ float s[64];
    int t = threadIdx.x;
    const float *row = x + blockIdx.x * m;
    float top = -INFINITY;
    for (int j = t; j < m; j += 64) top = fmaxf(top, row[j]);
    s[t] = top;
    __syncthreads();
    for (int k = 32; k > 0; k >>= 1) {
        if (t < k) s[t] = fmaxf(s[t], s[t + k]);
        __syncthreads();
    }
    top = s[0];
    __syncthreads();
    float sum = 0.0f;
    for (int j = t; j < m; j += 64) sum += expf(row[j] - top);
    s[t] = sum;
    __syncthreads();
    for (int k = 32; k > 0; k >>= 1) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0) loss[blockIdx.x] = logf(s[0]) + top - row[label[blockIdx.x]];
}
