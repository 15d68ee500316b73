// CHECK loops.c:axpby --grid 120 --block 256
template <typename F>
__device__ __forceinline__ void for_each_index(int n, F f) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) f(i);
}
__global__ void axpby(int n, float a, float b, const float *__restrict__ x, const float *__restrict__ y, float *__restrict__ z) {
    for_each_index(n, [=](int i) { z[i] = a * x[i] + b * y[i]; });
}
