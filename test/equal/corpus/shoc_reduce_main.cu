// CHECK loops.c:asum --permit reassociate
#include <cuda_runtime.h>
#define THREADS 256
#define BLOCKS 64
__global__ void reduce(const float *g_idata, float *g_odata, const unsigned int n)
{
    __shared__ float sdata[THREADS];
    const unsigned int tid = threadIdx.x;
    unsigned int i = (blockIdx.x * (THREADS * 2)) + tid;
    const unsigned int gridSize = THREADS * 2 * gridDim.x;
    sdata[tid] = 0;
    while (i < n) {
        sdata[tid] += g_idata[i] + (i + THREADS < n ? g_idata[i + THREADS] : 0.f);
        i += gridSize;
    }
    __syncthreads();
    for (unsigned int s = THREADS / 2; s > 0; s >>= 1) {
        if (tid < s) sdata[tid] += sdata[tid + s];
        __syncthreads();
    }
    if (tid == 0) g_odata[blockIdx.x] = sdata[0];
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    float *x, *part, *out;
    cudaMalloc(&x, n * sizeof(float));
    cudaMalloc(&part, BLOCKS * sizeof(float));
    cudaMalloc(&out, sizeof(float));
    reduce<<<BLOCKS, THREADS>>>(x, part, n);
    reduce<<<1, THREADS>>>(part, out, BLOCKS);
    return 0;
}
