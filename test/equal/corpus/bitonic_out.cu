// CHECK loops.c:bitonic_step --where "n % 64 == 0 && j == 16 && k == 64" --grid "n / 64" --block 64
__global__ void bitonic(const float *x, float *y, int n, int j, int k) {
    unsigned i = threadIdx.x + blockDim.x * blockIdx.x;
    unsigned ixj = i ^ j;
    if (ixj > i) {
        float a = x[i], b = x[ixj];
        if ((i & k) == 0) {
            y[i] = fminf(a, b);
            y[ixj] = fmaxf(a, b);
        } else {
            y[i] = fmaxf(a, b);
            y[ixj] = fminf(a, b);
        }
    }
}
