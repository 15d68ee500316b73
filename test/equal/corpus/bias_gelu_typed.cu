// CHECK loops.c:bias_gelu_rows --grid "(n*d+255)/256" --block 256 --kernel bias_gelu_kernel --bind total=n*d
template <typename T> __device__ T gelu(T v) {
    const T k0 = T(0.79788456), k1 = T(0.044715);
    return T(0.5) * v * (T(1) + tanhf(k0 * (v + k1 * v * v * v)));
}
__global__ void bias_gelu_kernel(const float *x, const float *bias, float *y, int total, int d) {
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx < total)
        y[idx] = gelu<float>(x[idx] + bias[idx % d]);
}
