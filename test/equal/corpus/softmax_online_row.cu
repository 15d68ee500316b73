// CHECK loops.c:softmax_too --grid "(n + 127) / 128" --block 128 --permit reassociate --permit approximate
__global__ void softmax(int n, int m, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float *r = x + i * m;
    float t = -INFINITY, s = 0.f;
    for (int j = 0; j < m; j++) {
        float u = fmaxf(t, r[j]);
        s = s * expf(t - u) + expf(r[j] - u);
        t = u;
    }
    for (int j = 0; j < m; j++) y[i * m + j] = expf(r[j] - t) / s;
}
