// Arrays that are read by other types than their own, as vectors, bytes and packed records, written anew.
// RUN --kernel relu4 --grid 4 --block 64 --arg n=1024 --arg x=1024 --arg y=1024
// RUN --kernel rows_of_bytes --grid 2,8 --block 32,4 --arg w=60 --arg h=32 --arg pitch=256
// RUN --kernel rows_of_bytes --grid 2,8 --block 32,4 --arg w=60 --arg h=32
// RUN --kernel tile4 --grid 2,2 --block 256 --arg K=128 --arg lda=128
// RUN --kernel forgot4 --grid 2 --block 64
// ERROR and no barrier is between them
// RUN --kernel packets --grid 2 --block 64
// RUN --kernel walk4 --grid 2 --block 64 --arg n=512
// RUN --kernel in_registers --grid 2 --block 64
// RUN --kernel planes --grid 2 --block 64 --arg m=4096
// RUN --kernel planes --grid 2 --block 64
// REMARK if what the launch leaves open is small
// RUN --kernel halves --grid 2 --block 64
#include <cuda_fp16.h>
#define AS4(v) (reinterpret_cast<float4 *>(&(v))[0])

__global__ void relu4(const float *x, float *y, int n)
{
    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n)
        return;
    float4 v = *reinterpret_cast<const float4 *>(&x[i]), w;
    w.x = fmaxf(v.x, 0.f);
    w.y = fmaxf(v.y, 0.f);
    w.z = fmaxf(v.z, 0.f);
    w.w = fmaxf(v.w, 0.f);
    AS4(y[i]) = w;
}

// What cudaMallocPitch gives: rows a number of bytes apart.
__global__ void rows_of_bytes(float *a, size_t pitch, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) {
        float *row = (float *)((char *)a + y * pitch);
        row[x] = 2 * row[x];
    }
}

__global__ void tile4(float *a, float *b, int K, int lda)
{
    __shared__ float s[16][64];
    int m = blockIdx.y * 64 + threadIdx.x / 4, k = threadIdx.x % 4 * 4;
    float4 v = *(float4 *)(a + m * lda + k);
    s[k][threadIdx.x / 4] = v.x;
    s[k + 1][threadIdx.x / 4] = v.y;
    s[k + 2][threadIdx.x / 4] = v.z;
    s[k + 3][threadIdx.x / 4] = v.w;
    __syncthreads();
    AS4(b[(blockIdx.y * 16 + threadIdx.x / 16) * K + threadIdx.x % 16 * 4 + blockIdx.x * 64]) = AS4(s[threadIdx.x / 16][threadIdx.x % 16 * 4]);
}

// The vectors are the array's own elements: who reads them needs a barrier.
__global__ void forgot4(float *a)
{
    __shared__ float s[256];
    AS4(s[4 * threadIdx.x]) = AS4(a[4 * threadIdx.x]);
    a[256 + threadIdx.x] = s[255 - threadIdx.x];
}

struct Packet {
    unsigned short scale;
    unsigned char q[16];
};
__global__ void packets(const unsigned char *bytes, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const Packet *p = (const Packet *)(bytes + i * 18);
    float sum = 0;
    for (int k = 0; k < 16; k++)
        sum += p->scale * p->q[k];
    out[i] = sum;
}

__global__ void walk4(const float *x, float *out, int n)
{
    const float4 *p = reinterpret_cast<const float4 *>(x + 4 * threadIdx.x);
    float sum = 0;
    for (int i = threadIdx.x; i < n / 4; i += blockDim.x, p += blockDim.x)
        sum += p->x + p->y + p->z + p->w;
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void in_registers(float *a)
{
    float r[8];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    AS4(r[0]) = AS4(a[8 * i]);
    AS4(r[4]) = AS4(a[8 * i + 4]);
    float sum = 0;
    for (int k = 0; k < 8; k++)
        sum += r[k];
    a[8 * i] = sum;
}

__global__ void halves(const half *x, half *y)
{
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    half2 v = *reinterpret_cast<const half2 *>(&x[i]);
    *reinterpret_cast<half2 *>(&y[i]) = __hadd2(v, v);
}

// Planes m elements apart: only a small m would bring threads together.
__global__ void planes(float *a, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = 1;
    a[i + m] = 2 * i;
    a[i + 2 * m] = 3 * i;
}
