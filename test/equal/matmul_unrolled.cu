// CHECK loops.c:matmul --grid "n / 16, n / 16" --block 16,16 --where "n % 16 == 0"
// FAULTS 5
__global__ void matmul_unrolled(int n, const float *a, const float *b, float *c) {
    int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
    float s = 0.0f;
    for (int k = 0; k < n; k += 4) {
        s += a[i * n + k] * b[k * n + j];
#ifndef FAULT_1
        s += a[i * n + k + 1] * b[(k + 1) * n + j];
#endif
#if defined FAULT_2
        s += a[i * n + k + 2] * b[(k + 1) * n + j];
#else
        s += a[i * n + k + 2] * b[(k + 2) * n + j];
#endif
        s += a[i * n + k + 3] * b[(k + 3) * n + j];
#if defined FAULT_3
        s += a[i * n + k + 3] * b[(k + 3) * n + j];
#elif defined FAULT_4
        s += k == 64 ? 1.0f : 0.0f;
#endif
    }
#if defined FAULT_5
    c[i * 16 + j] = s;
#else
    c[i * n + j] = s;
#endif
}
