// CHECK loops.c:saxpy
__global__ void saxpy_kernel(int n, float a, const float *x, float *y) {
    const int tid = blockIdx.x * blockDim.x + threadIdx.x;
    if (tid >= n) return;
    y[tid] = a * x[tid] + y[tid];
}
void saxpy(int n, float alpha, const float *x, float *y) {
    saxpy_kernel<<<(n + 511) / 512, 512>>>(n, alpha, x, y);
}
