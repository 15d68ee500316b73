// CHECK loops.c:scale_ll --where "n >= 1"
__global__ void __launch_bounds__(256) scale64(long long n, float a, const float *__restrict__ x, float *__restrict__ y) {
    const long long stride = (long long)blockDim.x * gridDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) y[i] = a * __ldg(&x[i]);
}
void run(long n, float a, const float *x, float *y) {
    constexpr int kThreads = 256;
    dim3 grid(static_cast<unsigned>((n + kThreads - 1) / kThreads));
    scale64<<<grid, dim3(kThreads), 0, 0>>>(n, a, x, y);
}
