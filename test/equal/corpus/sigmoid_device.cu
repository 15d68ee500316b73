// CHECK loops.c:sigmoid --grid "(n + 255) / 256" --block 256
__device__ __forceinline__ float sigmoidf(float x) { return 1.0f / (1.0f + expf(-x)); }
__global__ void sigmoid_fwd(const float *__restrict__ x, float *__restrict__ y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = sigmoidf(x[i]);
}
