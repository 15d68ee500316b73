// CHECK loops.c:jacobi_steps --where "steps >= 0 && n >= 3"
__global__ void k(const float *x, float *y, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i > 0 && i < n - 1) y[i] = (x[i - 1] + x[i] + x[i + 1]) * 0.3333f;
}
void jacobi(float *x, float *y, int n, int steps) {
    for (int s = 0; s < steps; s++) {
        k<<<(n + 255) / 256, 256>>>(x, y, n);
        k<<<(n + 255) / 256, 256>>>(y, x, n);
    }
}
