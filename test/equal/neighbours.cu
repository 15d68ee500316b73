// CHECK loops.c:neighbours --where "m >= 1" --grid "(n + 127) / 128" --block 128
// FAULTS 3
__global__ void neighbours(const float *x, const int *nb, float *f, int n, int m) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float here = x[i], s = 0;
#ifdef FAULT_1
    for (int k = 1; k < m; k++) {
#else
    for (int k = 0; k < m; k++) {
#endif
#ifdef FAULT_2
        float d = here - x[nb[i * m + k]];
#elif defined FAULT_3
        float d = here - x[nb[k * n + i] + 1];
#else
        float d = here - x[nb[k * n + i]];
#endif
        s += d * d;
    }
    f[i] = s;
}
