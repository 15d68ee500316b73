// CHECK loops.c:thomas --where "n >= 1" --grid "(m + 127) / 128" --block 128
__global__ void thomas_kernel(const float *a, const float *b, const float *c, float *cp, float *d, int n, int m) {
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= m) return;
    cp[s] = c[s] / b[s];
    d[s] = d[s] / b[s];
    for (int i = 1; i < n; i++) {
        int k = i * m + s;
        float w = 1.0f / (b[k] - a[k] * cp[k - m]);
        cp[k] = c[k] * w;
        d[k] = (d[k] - a[k] * d[k - m]) * w;
    }
    for (int i = n - 2; i >= 0; i--) {
        int k = i * m + s;
        d[k] = d[k] - cp[k] * d[k + m];
    }
}
