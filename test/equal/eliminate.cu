// CHECK loops.c:eliminate --where "t >= 0 && t < n" --grid "(n - t + 15) / 16, (n - t + 15) / 16" --block 16,16
// FAULTS 3
__global__ void eliminate(const float *m, float *a, int n, int t) {
    int i = t + 1 + blockIdx.x * blockDim.x + threadIdx.x, j = t + blockIdx.y * blockDim.y + threadIdx.y;
#ifndef FAULT_1
    if (i >= n) return;
#endif
    if (j >= n) return;
#ifdef FAULT_2
    a[i * n + j] -= m[i] * a[(t + 1) * n + j];
#elif defined FAULT_3
    a[i * n + j] = m[i] * a[t * n + j] - a[i * n + j];
#else
    a[i * n + j] -= m[i] * a[t * n + j];
#endif
}
