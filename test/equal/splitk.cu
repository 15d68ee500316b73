// CHECK loops.c:matvec --permit reassociate --where "m % 4 == 0"
// FAULTS 5
__global__ void quarter(int n, int m, const float *a, const float *x, float *part) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, q = blockIdx.y, len = m / 4;
    if (i >= n) return;
    float s = 0.0f;
#if defined FAULT_1
    for (int j = q * len; j < q * len + len - 1; j++) s += a[i * m + j] * x[j];
#elif defined FAULT_2
    for (int j = q * len; j <= q * len + len; j++) s += j < m ? a[i * m + j] * x[j] : 0.0f;
#else
    for (int j = q * len; j < (q + 1) * len; j++) s += a[i * m + j] * x[j];
#endif
    part[q * n + i] = s;
}
__global__ void join(int n, const float *part, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#if defined FAULT_3
    if (i < n) y[i] = part[i] + part[n + i] + part[2 * n + i];
#elif defined FAULT_4
    if (i < n) y[i] = part[4 * i] + part[4 * i + 1] + part[4 * i + 2] + part[4 * i + 3];
#else
    if (i < n) y[i] = part[i] + part[n + i] + part[2 * n + i] + part[3 * n + i];
#endif
}
void matvec(int n, int m, const float *a, const float *x, float *y) {
    float *part;
    int blocks = (n + 127) / 128;
    cudaMalloc(&part, 4 * n * sizeof(float));
#if defined FAULT_5
    quarter<<<dim3(blocks, 3), 128>>>(n, m, a, x, part);
#else
    quarter<<<dim3(blocks, 4), 128>>>(n, m, a, x, part);
#endif
    join<<<blocks, 128>>>(n, part, y);
    cudaFree(part);
}
