// CHECK loops.c:centred --permit reassociate
// FAULTS 5
// Two rows of sums in one temporary.
__global__ void stat(int n, int m, const float *x, float *s, float *t) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= n) return;
    float u = 0, v = 0;
    for (int j = 0; j < m; j++) u += x[i * m + j];
    for (int j = 0; j < m; j++) v += x[i * m + j] * x[i * m + j];
    s[i] = u, t[i] = v;
}
__global__ void apply(int n, int m, const float *x, const float *s, const float *t, float *y) {
    int j = blockIdx.x * 64 + threadIdx.x, i = blockIdx.y;
    if (j < m) y[i * m + j] = (x[i * m + j] - s[i]) * t[i];
}
void centred(int n, int m, const float *x, float *y) {
    float *w;
#ifdef FAULT_1
    cudaMalloc(&w, (2 * n - 1) * sizeof(float));
#else
    cudaMalloc(&w, 2 * n * sizeof(float));
#endif
#ifdef FAULT_2
    float *s = w, *t = w + n - 1;
#elif defined FAULT_3
    float *s = w + n, *t = s;
#else
    float *s = w, *t = w + n;
#endif
    stat<<<(n + 63) / 64, 64>>>(n, m, x, s, t);
#ifdef FAULT_4
    apply<<<dim3((m + 63) / 64, n), 64>>>(n, m, x, t, s, y);
#elif defined FAULT_5
    apply<<<dim3((m + 63) / 64, n), 64>>>(n, m, x, s, w + m, y);
#else
    apply<<<dim3((m + 63) / 64, n), 64>>>(n, m, x, s, t, y);
#endif
    cudaFree(w);
}
