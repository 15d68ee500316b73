// What headers bring: cooperative groups, 16-bit floats, random numbers; functors; templates with the
// types that the text names somewhere; and what looks wrong but is not.
// RUN --kernel grouped
// RUN --kernel forgot
// ERROR no barrier is between them
// RUN --kernel tile_sums
// RUN --kernel borrowed
// RUN --kernel scaled
// RUN --kernel draws
// RUN --kernel applied
// RUN --kernel everyone
// RUN --kernel open_bound --grid 4 --block 64
// WARNING would be written, outside of keep[4]
// WARNING would be read, outside of keep[4]
// RUN --kernel open_bound --grid 4 --block 64 --arg order=3
// RUN --kernel unsure --grid 4 --block 64
// WARNING this barrier is under the loop
// RUN --kernel vectors --grid 4 --block 64
// RUN --kernel growing --grid 4 --block 64 --arg n=4096
#include <cooperative_groups.h>
#include <cuda_fp16.h>
#include <curand_kernel.h>
namespace cg = cooperative_groups;

__global__ void grouped(float *out, const float *in)
{
    cg::thread_block block = cg::this_thread_block();
    __shared__ float s[128];
    s[block.thread_rank()] = in[blockIdx.x * block.size() + block.thread_rank()];
    cg::sync(block);
    float mirrored = s[block.size() - 1 - block.thread_rank()];
    block.sync();
    s[block.thread_rank()] = mirrored + 1;
    cg::sync(block);
    out[blockIdx.x * 128 + threadIdx.x] = s[127 - threadIdx.x];
}

__global__ void forgot(float *out, const float *in)
{
    cg::thread_block block = cg::this_thread_block();
    __shared__ float s[128];
    s[block.thread_rank()] = in[block.thread_rank()];
    out[block.thread_rank()] = s[127 - block.thread_rank()];
}

__global__ void tile_sums(float *out, const float *in)
{
    auto block = cg::this_thread_block();
    cg::thread_block_tile<32> lanes = cg::tiled_partition<32>(block);
    float x = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (int step = lanes.size() / 2; step > 0; step /= 2) x += lanes.shfl_down(x, step);
    if (lanes.thread_rank() == 0) out[blockIdx.x * lanes.meta_group_size() + lanes.meta_group_rank()] = x;
}

template <class T> struct Scratch {
    __device__ operator T *() { extern __shared__ int raw[]; return (T *)raw; }
};
template <class T, int W> __global__ void borrowed(T *out, const T *in, int n)
{
    T *s = Scratch<T>();
    int i = blockIdx.x * W + threadIdx.x;
    s[threadIdx.x] = i < n ? in[i] : T(0);
    __syncthreads();
    for (unsigned step = W / 2; step > 0; step >>= 1) {
        if (threadIdx.x < step) s[threadIdx.x] += s[threadIdx.x + step];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}
template <class T> void sum_of(T *out, T *in, int n)
{
    borrowed<T, 64><<<16, 64, 64 * sizeof(T)>>>(out, in, n);
}
template void sum_of<double>(double *, double *, int);

__global__ void scaled(half2 *y, const half2 *x, __half a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = __hfma2(__half2half2(a), x[i], y[i]);
}

__global__ void draws(curandState *states, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    curandState own = states[i];
    float sum = 0;
    for (int k = 0; k < n; k++) sum += curand_uniform(&own);
    out[i] = sum;
    states[i] = own;
}

struct Twice {
    float by;
    __host__ __device__ float operator()(float x) const { return by * x + x; }
};
template <class F> __global__ void applied(F f, float *x, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] = f(x[i]);
}

// All threads write what all of them read.
__global__ void everyone(float *out, const float *table)
{
    __shared__ float s[16], scale;
    for (int k = 0; k < 16; k++) s[k] = table[k];
    scale = table[16 + blockIdx.x];
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x % 16] * scale;
}

__global__ void open_bound(float *out, const float *in, int order)
{
    float keep[4];
    for (int k = 0; k <= order; k++) keep[k] = in[k * 256 + threadIdx.x];
    float sum = 0;
    for (int k = 0; k <= order; k++) sum += keep[k];
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

// As many rounds for all threads only if the mask does what it looks like.
__global__ void unsure(float *out, const float *in, int n)
{
    __shared__ float s[64];
    int last = (n + 63) & ~63;
    for (int i = threadIdx.x; i < last; i += 64) {
        s[threadIdx.x] = i < n ? in[i] : 0;
        __syncthreads();
        out[i] = s[63 - threadIdx.x];
        __syncthreads();
    }
}

// The step is a variable that has grown before the loop.
__global__ void growing(float *out, const float *in, int n)
{
    int step = gridDim.x * blockDim.x;
    step = step << 1;
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x * 2 + threadIdx.x; i < n; i += step) {
        sum += in[i];
        if (i + blockDim.x < n) sum += in[i + blockDim.x];
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

struct Pair { float a, b; };
struct __align__(8) Tied { float a, b; };
__global__ void vectors(float4 *out, const float4 *four, const Pair *pair, const Tied *tied, const float4 *one)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 v = four[i];
    v.x += pair[i].a + pair[i].b;
    v.y += tied[i].a + tied[i].b;
    v.w += one[i].z;
    out[i] = v;
}

int main()
{
    grouped<<<8, 128>>>(out, in);
    forgot<<<1, 128>>>(out, in);
    tile_sums<<<8, 256>>>(out, in);
    scaled<<<16, 256>>>(y, x, a, 4000);
    draws<<<8, 64>>>(states, out, 100);
    Twice twice{2.0f};
    applied<Twice><<<8, 128>>>(twice, x, 10000);
    everyone<<<8, 64>>>(out, table);
}
