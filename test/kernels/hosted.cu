// Launches that the host's code tells.
// RUN --kernel scale
// RUN --kernel add
// RUN --kernel tile
// RUN --kernel dynamic
// RUN --kernel unknown
// ERROR how 'unknown' is launched can't be told
// RUN --kernel unknown --grid 4 --block 64 --arg n=256
// RUN --kernel beyond
// ERROR outside of s[64]
#include <cuda_runtime.h>
#include "whatever.h"
#define THREADS 128

__global__ void scale(float *a, float s, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] *= s;
}

__global__ void add(float *c, const float *a, const float *b, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) c[y * w + x] = a[y * w + x] + b[y * w + x];
}

template <int T>
__global__ void tile(float *a, int n)
{
    __shared__ float s[T][T];
    int x = blockIdx.x * T + threadIdx.x, y = blockIdx.y * T + threadIdx.y;
    s[threadIdx.y][threadIdx.x] = a[y * n + x];
    __syncthreads();
    a[y * n + x] = s[threadIdx.x][threadIdx.y];
}

__global__ void dynamic(float *a)
{
    extern __shared__ float s[];
    s[threadIdx.x] = a[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();
    a[blockIdx.x * blockDim.x + threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}

__global__ void unknown(float *a, int n) { if (threadIdx.x < n) a[blockIdx.x * blockDim.x + threadIdx.x] = 0; }

__global__ void beyond(float *a)
{
    __shared__ float s[64];
    s[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    a[threadIdx.x] = s[127 - threadIdx.x];
}

Undeclared *helper(NoSuchType t);
int main(int argc, char **argv)
{
    const int n = 1000, w = 200, h = 100;
    float *a = no_such_function(n), *b = a, *c = a;
    int threads = THREADS;
    scale<<<(n + threads - 1) / threads, threads>>>(a, 2.0f, n);
    dim3 block(16, 8);
    dim3 grid((w + block.x - 1) / block.x, (h + block.y - 1) / block.y);
    add<<<grid, block>>>(c, a, b, w, h);
    tile<16><<<dim3(4, 4), dim3(16, 16)>>>(a, 64);
    dynamic<<<8, THREADS, THREADS * sizeof(float)>>>(a);
    unknown<<<atoi(argv[1]), 64>>>(a, 10);
    beyond<<<1, THREADS>>>(a);
    return 0;
}
