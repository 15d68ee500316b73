// In the manner of lecture notes: products by tiles, sums by trees, transposes, a scan.
// RUN --kernel product --grid 8,8 --block 16,16 --arg n=128 --arg a=16384 --arg b=16384 --arg c=16384
// RUN --kernel tiled<16> --grid 8,8 --block 16,16 --arg n=128 --arg a=16384 --arg b=16384 --arg c=16384
// RUN --kernel coarse --grid 4,8 --block 16,16 --arg n=128 --arg a=16384 --arg b=16384 --arg c=16384
// RUN --kernel sum_interleaved --grid 8 --block 256 --arg n=2048 --arg in=2048 --arg out=8
// RUN --kernel sum_strided --grid 8 --block 256 --arg n=2048 --arg in=2048 --arg out=8
// RUN --kernel sum_contiguous --grid 8 --block 256 --arg n=4096 --shared 1024 --arg in=4096 --arg out=8
// RUN --kernel sum_all<256> --grid 4 --block 256 --arg n=5000 --arg in=5000 --arg out=4
// REMARK in lanes of one warp alone
// RUN --kernel transpose_naive --grid 4,4 --block 32,8 --arg width=128 --arg height=128
// RUN --kernel transpose_tiled --grid 4,4 --block 32,8 --arg width=128 --arg height=128
// RUN --kernel scan_doubling --grid 1 --block 256 --arg n=256 --shared 2048
// RUN --kernel scan_tree --grid 1 --block 128 --arg n=256 --shared 1024
// RUN --kernel histogram --grid 4 --block 128 --arg n=4000
// RUN --kernel jacobi --grid 4,8 --block 32,4 --arg n=128 --arg m=32 --arg a=4096 --arg b=4096
// RUN --kernel jacobi_shared --grid 4,8 --block 32,4 --arg n=130 --arg m=34 --arg a=4420 --arg b=4420
// RUN --kernel branch --grid 8 --block 64
#include <stdio.h>
#include "no_such_file.h"

__global__ void product(float *c, const float *a, const float *b, int n)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n && col < n) {
        float sum = 0;
        for (int k = 0; k < n; k++)
            sum += a[row * n + k] * b[k * n + col];
        c[row * n + col] = sum;
    }
}

template <int TILE>
__global__ void tiled(float *c, const float *a, const float *b, int n)
{
    __shared__ float as[TILE][TILE];
    __shared__ float bs[TILE][TILE];
    int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
    int a_begin = n * TILE * by, a_end = a_begin + n - 1, b_begin = TILE * bx;
    float sum = 0;
    for (int i = a_begin, j = b_begin; i <= a_end; i += TILE, j += TILE * n) {
        as[ty][tx] = a[i + n * ty + tx];
        bs[ty][tx] = b[j + n * ty + tx];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; ++k)
            sum += as[ty][k] * bs[k][tx];
        __syncthreads();
    }
    c[n * TILE * by + b_begin + n * ty + tx] = sum;
}

// One tile of a for two of b.
__global__ void coarse(float *c, const float *a, const float *b, int n)
{
    enum { T = 16 };
    __shared__ float as[T][T], b0[T][T], b1[T][T];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * T + ty, col = blockIdx.x * 2 * T + tx;
    float sum0 = 0, sum1 = 0;
    for (int m = 0; m < n / T; m++) {
        as[ty][tx] = a[row * n + m * T + tx];
        b0[ty][tx] = b[(m * T + ty) * n + col];
        b1[ty][tx] = b[(m * T + ty) * n + col + T];
        __syncthreads();
        for (int k = 0; k < T; k++) {
            sum0 += as[ty][k] * b0[k][tx];
            sum1 += as[ty][k] * b1[k][tx];
        }
        __syncthreads();
    }
    c[row * n + col] = sum0;
    c[row * n + col + T] = sum1;
}

__global__ void sum_interleaved(const float *in, float *out, int n)
{
    __shared__ float partial[256];
    unsigned int t = threadIdx.x;
    partial[t] = in[blockIdx.x * blockDim.x + t];
    for (unsigned int stride = 1; stride < blockDim.x; stride *= 2) {
        __syncthreads();
        if (t % (2 * stride) == 0)
            partial[t] += partial[t + stride];
    }
    if (t == 0)
        out[blockIdx.x] = partial[0];
}

__global__ void sum_strided(const float *in, float *out, int n)
{
    __shared__ float partial[256];
    unsigned int t = threadIdx.x;
    partial[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (unsigned int s = 1; s < blockDim.x; s *= 2) {
        int index = 2 * s * t;
        if (index < blockDim.x)
            partial[index] += partial[index + s];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = partial[0];
}

__global__ void sum_contiguous(const float *in, float *out, unsigned int n)
{
    extern __shared__ float sdata[];
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
    float mine = (i < n) ? in[i] : 0;
    if (i + blockDim.x < n)
        mine += in[i + blockDim.x];
    sdata[tid] = mine;
    __syncthreads();
    for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s)
            sdata[tid] = mine = mine + sdata[tid + s];
        __syncthreads();
    }
    if (tid == 0)
        out[blockIdx.x] = mine;
}

template <unsigned int blockSize>
__global__ void sum_all(const float *in, float *out, unsigned int n)
{
    __shared__ float sdata[blockSize];
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * (blockSize * 2) + tid;
    unsigned int gridSize = blockSize * 2 * gridDim.x;
    sdata[tid] = 0;
    while (i < n) {
        sdata[tid] += in[i];
        if (i + blockSize < n)
            sdata[tid] += in[i + blockSize];
        i += gridSize;
    }
    __syncthreads();
    if (blockSize >= 512) { if (tid < 256) { sdata[tid] += sdata[tid + 256]; } __syncthreads(); }
    if (blockSize >= 256) { if (tid < 128) { sdata[tid] += sdata[tid + 128]; } __syncthreads(); }
    if (blockSize >= 128) { if (tid < 64) { sdata[tid] += sdata[tid + 64]; } __syncthreads(); }
    if (tid < 32) {
        volatile float *v = sdata;
        if (blockSize >= 64) v[tid] += v[tid + 32];
        if (blockSize >= 32) v[tid] += v[tid + 16];
        if (blockSize >= 16) v[tid] += v[tid + 8];
        if (blockSize >= 8) v[tid] += v[tid + 4];
        if (blockSize >= 4) v[tid] += v[tid + 2];
        if (blockSize >= 2) v[tid] += v[tid + 1];
    }
    if (tid == 0)
        out[blockIdx.x] = sdata[0];
}

__global__ void transpose_naive(float *out, const float *in, int width, int height)
{
    int x = blockIdx.x * 32 + threadIdx.x;
    int y = blockIdx.y * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += blockDim.y)
        out[x * height + y + i] = in[(y + i) * width + x];
}

__global__ void transpose_tiled(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32 + 1];
    int x = blockIdx.x * 32 + threadIdx.x;
    int y = blockIdx.y * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += blockDim.y)
        tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * width + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += blockDim.y)
        out[(y + i) * height + x] = tile[threadIdx.x][threadIdx.y + i];
}

// Two buffers that change roles.
__global__ void scan_doubling(float *out, const float *in, int n)
{
    extern __shared__ float temp[];
    int t = threadIdx.x, pout = 0, pin = 1;
    temp[pout * n + t] = t > 0 ? in[t - 1] : 0;
    __syncthreads();
    for (int offset = 1; offset < n; offset *= 2) {
        pout = 1 - pout;
        pin = 1 - pout;
        if (t >= offset)
            temp[pout * n + t] = temp[pin * n + t] + temp[pin * n + t - offset];
        else
            temp[pout * n + t] = temp[pin * n + t];
        __syncthreads();
    }
    out[t] = temp[pout * n + t];
}

// Up and down a tree.
__global__ void scan_tree(float *out, const float *in, int n)
{
    extern __shared__ float temp[];
    int t = threadIdx.x, offset = 1;
    temp[2 * t] = in[2 * t];
    temp[2 * t + 1] = in[2 * t + 1];
    for (int d = n >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) {
            int ai = offset * (2 * t + 1) - 1;
            int bi = offset * (2 * t + 2) - 1;
            temp[bi] += temp[ai];
        }
        offset *= 2;
    }
    if (t == 0)
        temp[n - 1] = 0;
    for (int d = 1; d < n; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            int ai = offset * (2 * t + 1) - 1;
            int bi = offset * (2 * t + 2) - 1;
            float x = temp[ai];
            temp[ai] = temp[bi];
            temp[bi] += x;
        }
    }
    __syncthreads();
    out[2 * t] = temp[2 * t];
    out[2 * t + 1] = temp[2 * t + 1];
}

__global__ void histogram(unsigned int *bins, const unsigned char *data, int n)
{
    __shared__ unsigned int local[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x)
        local[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&local[data[i]], 1u);
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += blockDim.x)
        atomicAdd(&bins[i], local[i]);
}

__global__ void jacobi(float *b, const float *a, int n, int m)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i > 0 && i < m - 1 && j > 0 && j < n - 1)
        b[i * n + j] = 0.25f * (a[(i - 1) * n + j] + a[(i + 1) * n + j] + a[i * n + j - 1] + a[i * n + j + 1]);
}

#define BX 32
#define BY 4
#define AT(i, j) ((i) * n + (j))
__global__ void jacobi_shared(float *b, const float *a, int n, int m)
{
    __shared__ float t[BY + 2][BX + 2];
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    int j = blockIdx.x * BX + tx, i = blockIdx.y * BY + ty;
    t[ty][tx] = a[AT(i, j)];
    if (ty == 1)
        t[0][tx] = a[AT(i - 1, j)];
    if (ty == BY)
        t[BY + 1][tx] = a[AT(i + 1, j)];
    if (tx == 1)
        t[ty][0] = a[AT(i, j - 1)];
    if (tx == BX)
        t[ty][BX + 1] = a[AT(i, j + 1)];
    __syncthreads();
    b[AT(i, j)] = 0.25f * (t[ty - 1][tx] + t[ty + 1][tx] + t[ty][tx - 1] + t[ty][tx + 1]);
}

__device__ float left(float x) { return x * 2 + 1; }
__device__ float right(float x) { return x * 3 - 1; }
__global__ void branch(float *a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x > 2)
        a[i] = left(a[i]);
    else
        a[i] = right(a[i]);
}

int main()
{
    float *x;
    cudaMalloc(&x, 1024);
    branch<<<8, 64>>>(x);
    tiled<16><<<dim3(8, 8), dim3(16, 16)>>>(x, x, x, 128);
    printf("done\n");
}
