// CHECK loops.c:vadd
// FAULTS 7
// A thread's loop over elements that ends where the array does.
__global__ void left_early(int n, const float *a, const float *b, float *c) {
    int i = blockIdx.x * 1024 + threadIdx.x;
#ifdef FAULT_1
    for (int u = 3; u >= 0; u--) {
#else
    for (int u = 0; u < 4; u++) {
#endif
#ifdef FAULT_2
        int j = i + (3 - u) * 256;
#else
        int j = i + u * 256;
#endif
#ifdef FAULT_3
        if (j > n) break;
#elif defined FAULT_4
        if (j >= n - 1) return;
#elif defined FAULT_5
        if (j >= n || j == 300) break;
#elif defined FAULT_6
        if (j >= n || u == 2) continue;
#elif defined FAULT_7
        if (j >= n) break;
        if (u == 1 && j > 700) break;
#else
        if (j >= n) break;
#endif
        c[j] = a[j] + b[j];
    }
}
void vadd(int n, const float *a, const float *b, float *c) {
    left_early<<<(n + 1023) / 1024, 256>>>(n, a, b, c);
}
