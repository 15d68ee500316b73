// CHECK loops.c:matmul --permit reassociate --where "n % 4 == 0"
// FAULTS 4
// SAYS 4 ws[3][0][0], written at test/equal/splitk_rows.cu
// Partial sums are read by a flat number, beyond the rows that n * n elements suggest: a run that took rows for the
// array's own refuted this.
#define S 4
__global__ void part(const float *a, const float *b, float *ws, int n) {
    int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y, z = blockIdx.z;
    if (i >= n || j >= n) return;
    float acc = 0.0f;
#ifdef FAULT_1
    for (int k = z * (n / S); k < (z + 1) * (n / S) - 1; k++) acc += a[i * n + k] * b[k * n + j];
#else
    for (int k = z * (n / S); k < (z + 1) * (n / S); k++) acc += a[i * n + k] * b[k * n + j];
#endif
#ifdef FAULT_2
    ws[i * n + j] = acc;
#else
    ws[(z * n + i) * n + j] = acc;
#endif
}
__global__ void combine(const float *ws, float *c, int n) {
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx >= n * n) return;
    float s = 0.0f;
#ifdef FAULT_3
    for (int z = 0; z <= S; z++) s += ws[z * n * n + idx];
#elif defined FAULT_4
    for (int z = 1; z < S; z++) s += ws[z * n * n + idx];
#else
    for (int z = 0; z < S; z++) s += ws[z * n * n + idx];
#endif
    c[idx] = s;
}
void matmul(int n, const float *a, const float *b, float *c) {
    float *ws;
    cudaMalloc(&ws, S * n * n * sizeof(float));
    part<<<dim3((n + 15) / 16, (n + 15) / 16, S), dim3(16, 16)>>>(a, b, ws, n);
    combine<<<(n * n + 255) / 256, 256>>>(ws, c, n);
}
