// CHECK loops.c:twice
// FAULTS 2
// SAYS 1 y[0] is
// The launch is given x twice: what is read by one name before it is written by the other is the old value.
__global__ void doubled(int n, const int *__restrict__ in, int *__restrict__ out, int *y) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= n) return;
#ifdef FAULT_1
    int v = in[i];
    out[i] = 2 * in[i];
#else
    out[i] = 2 * in[i];
    int v = in[i];
#endif
#ifdef FAULT_2
    y[i] = 2 * v;
#else
    y[i] = v;
#endif
}
void twice(int n, int *x, int *y) { doubled<<<(n + 63) / 64, 64>>>(n, x, x, y); }
