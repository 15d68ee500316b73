// CHECK loops.c:products
// FAULTS 3
// One launch for each product of a batch, which begins where the host says.
__global__ void product(int n, const float *a, const float *b, float *c) {
    int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
    if (i < n && j < n) {
        float s = 0;
        for (int k = 0; k < n; k++) s += a[i * n + k] * b[k * n + j];
        c[i * n + j] = s;
    }
}
void products(int q, int n, const float *a, const float *b, float *c) {
    dim3 grid((n + 15) / 16, (n + 15) / 16), block(16, 16);
    for (int k = 0; k < q; k++) {
#ifdef FAULT_1
        product<<<grid, block>>>(n, a + k * n * n, b + k * n, c + k * n * n);
#elif defined FAULT_2
        product<<<grid, block>>>(n, a, &b[k * n * n], c + k * n * n);
#elif defined FAULT_3
        product<<<grid, block>>>(n, a + k * n * n, b + k * n * n, c);
#else
        product<<<grid, block>>>(n, a + k * n * n, b + k * n * n, c + k * n * n);
#endif
    }
}
