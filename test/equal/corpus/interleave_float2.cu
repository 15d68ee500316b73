// CHECK loops.c:interleave --grid 108 --block 128
__global__ void il(const float *a, const float *b, float2 *c, size_t n) {
    size_t stride = (size_t)blockDim.x * gridDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) c[i] = make_float2(a[i], b[i]);
}
