// CHECK loops.c:welford --grid "(n + 127) / 128" --block 128
__global__ void welford_kernel(const float *__restrict__ x, float *mean, float *m2, int n, int m) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float mu = 0.f, q = 0.f;
    const float *row = x + (size_t)i * m;
    for (int j = 0; j < m; ++j) {
        float v = row[j];
        float delta = v - mu;
        mu += delta / (j + 1);
        q += delta * (v - mu);
    }
    mean[i] = mu;
    m2[i] = q;
}
