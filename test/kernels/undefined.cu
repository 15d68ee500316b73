// Names that come from elsewhere (a header that is missing, -D), intrinsics, complex numbers; written anew.
// RUN --kernel limited --grid 4 --block 64 --arg n=200 --arg STRIDE=2
// REMARK not defined in this file: LIMIT, weight
// RUN --kernel limited --grid 4 --block 64 --arg n=200 --arg STRIDE=2 --arg LIMIT=100
// REMARK not defined in this file: weight
// RUN --kernel tiled --grid 4 --block 64 --arg TILE=64
// RUN --kernel tiled --grid 4 --block 64
// ERROR use of undeclared identifier 'TILE'
// REMARK not defined in this file: TILE
// REMARK not found: 'nobody_has_this.h'
// RUN --kernel writes_through --grid 4 --block 64
// ERROR 'fill' may do anything
// REMARK not defined in this file: fill
// RUN --kernel intrinsics --grid 4 --block 64
// RUN --kernel complexes --grid 4 --block 64
// RUN --kernel streams --grid 4 --block 64
// RUN --kernel lambda --grid 4 --block 64
// ERROR a lambda expression with a copy of 's', which changes
#include "nobody_has_this.h"

__global__ void limited(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && i < LIMIT)
        a[i * STRIDE] = weight(a[i * STRIDE], 3) * 2;
}

__global__ void tiled(const float *a, float *b)
{
    __shared__ float t[TILE];
    t[threadIdx.x] = a[blockIdx.x * TILE + threadIdx.x];
    __syncthreads();
    b[blockIdx.x * TILE + threadIdx.x] = t[TILE - 1 - threadIdx.x];
}

__global__ void writes_through(float *a)
{
    fill(a, 3);
    a[threadIdx.x] += 1;
}

__global__ void intrinsics(float *a, int *b, double *c, unsigned *d)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = __fsqrt_rd(a[i]) + __fadd_rz(a[i], 1.f) + __frcp_ru(a[i]) + __frsqrt_rn(a[i]) + __int_as_float(b[i]) + __uint2float_rn(d[i]);
    b[i] = __float2int_ru(a[i]) + __mulhi(b[i], 7) + __popcll(17ull) + __dp4a(b[i], 3, 1) + __clzll(9) + __reduce_add_sync(~0u, b[i]);
    c[i] = __dadd_rn(c[i], 1.0) * __dmul_rd(c[i], 2.0) + __longlong_as_double(5) + __hiloint2double(1, 2);
    d[i] = __vadd4(d[i], 3u) ^ __byte_perm(d[i], 1u, 0x3210u) ^ __funnelshift_l(d[i], 1u, 4u) ^ __match_any_sync(~0u, d[i]) ^ __sad(1, 2, 3u);
}

__global__ void complexes(cuFloatComplex *a, cuDoubleComplex *b)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = cuCmulf(a[i], make_cuFloatComplex(1.f, cuCabsf(a[i])));
    b[i] = cuCadd(b[i], cuConj(b[i]));
}

__global__ void streams(const float4 *a, float *b)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 v = __ldcs(&a[i]);
    __stcs(&b[i], v.x + v.y + v.z + v.w);
}

__global__ void lambda(float *a)
{
    float s = 1;
    auto add = [=](float x) { return x + s; };
    s = 2;
    a[threadIdx.x] = add(a[threadIdx.x]);
}
