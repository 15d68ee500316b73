// CHECK loops.c:mse_two_kernels --permit reassociate --where "n >= 1"
#include <cstdio>
#define THREADS 256
#define BLOCKS 64
__global__ void mse_partial(const float *p, const float *t, float *part, int n) {
    __shared__ float sh[THREADS];
    float s = 0.f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float d = p[i] - t[i];
        s += d * d;
    }
    sh[threadIdx.x] = s;
    __syncthreads();
    for (int o = THREADS / 2; o > 0; o >>= 1) {
        if (threadIdx.x < o) sh[threadIdx.x] += sh[threadIdx.x + o];
        __syncthreads();
    }
    if (threadIdx.x == 0) part[blockIdx.x] = sh[0];
}
__global__ void mse_final(const float *part, float *loss, int n) {
    float v = part[threadIdx.x] + part[threadIdx.x + 32];
    for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(0xffffffff, v, o);
    if (threadIdx.x == 0) *loss = v / n;
}
void mse(int n, const float *p, const float *t, float *loss) {
    float *part;
    cudaMalloc(&part, BLOCKS * sizeof(float));
    mse_partial<<<BLOCKS, THREADS>>>(p, t, part, n);
    mse_final<<<1, 32>>>(part, loss, n);
    cudaFree(part);
}
