// CHECK loops.c:roll --where "k >= 0 && k <= n" --grid "(n + 255) / 256" --block 256
__global__ void roll_kernel(const float *x, float *y, int n, int k) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[(i + k) % n] = x[i];
}
