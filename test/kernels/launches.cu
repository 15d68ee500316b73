// Launches that are told by running the host's code as text: variables that are set later, functions that
// are called, macros, options, loops, headers and types that nobody has.
// RUN --kernel assigned --arg count=5000
// RUN --kernel assigned
// ERROR it hangs on 'count', which only the run knows): give --arg count=1024
// RUN --kernel through
// RUN --kernel rounded
// RUN --kernel switched
// ERROR outside of s[128]
// RUN --kernel defaults
// RUN --kernel members --arg job.rows=640
// RUN --kernel by_reference
// RUN --kernel halving
// RUN --kernel typed
// RUN --kernel listed
// RUN --kernel outside
// ERROR outside of s[32]
// RUN --kernel lost
// ERROR outside of s[64]
// RUN --kernel called
// RUN --kernel unknown_size --grid 1 --block 32
// ERROR use of undeclared identifier 'SIZE_OF_SOMEBODY'
// REMARK not found: 'iostream' 'vector' 'helper_of_somebody.h'; -I FOLDER
// REMARK not defined in this file: SIZE_OF_SOMEBODY
// RUN --kernel enumerated
// RUN --kernel filled
#include <iostream>
#include <vector>
#include "helper_of_somebody.h"
#ifdef GROUP
#define WIDTH GROUP
#elif defined(NOBODY) || 0
#define WIDTH 1
#else
#define WIDTH 128
#endif
#define CHECKED(call) do { Status s_ = (call); if (s_ != OKAY) die(s_); } while (0)
#define SMALLER(a, b) ((a) < (b) ? (a) : (b))
#define up(n, by) (n + by - 1) / by

__global__ void assigned(float *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] += 1; }
__global__ void through(float *a, int rounds, int n)
{
    __shared__ float s[WIDTH];
    int i = blockIdx.x * WIDTH + threadIdx.x;
    s[threadIdx.x] = i < n ? a[i] : 0;
    for (int k = 0; k < rounds; k++) {
        __syncthreads();
        float other = s[WIDTH - 1 - threadIdx.x];
        __syncthreads();
        s[threadIdx.x] += other;
    }
    if (i < n) a[i] = s[threadIdx.x];
}
__global__ void rounded(float *a) { a[blockIdx.y * 512 + blockIdx.x * 32 + threadIdx.x] = 0; }
template <int T> __global__ void switched(float *a)
{
    __shared__ float s[T / 2];
    s[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    a[threadIdx.x] = s[T / 2 - 1 - threadIdx.x];
}
__global__ void defaults(float *a, int n) { if (threadIdx.x < n) a[blockIdx.x * n + threadIdx.x] = 1; }
__global__ void members(float *a, int n) { a[blockIdx.x * n + threadIdx.x] *= 2; }
__global__ void by_reference(float *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 3; }
__global__ void halving(float *a, int s) { if (threadIdx.x < s) a[threadIdx.x] += a[threadIdx.x + s]; }
template <class T, int W> __global__ void typed(T *a, T *b) { b[threadIdx.x * W] = a[threadIdx.x]; }
__global__ void listed(float *a) { a[threadIdx.y * blockDim.x + threadIdx.x] = 0; }
__global__ void outside(float *a) { __shared__ float s[32]; s[threadIdx.x] = a[threadIdx.x]; a[threadIdx.x] = s[threadIdx.x]; }
__global__ void lost(float *a) { __shared__ float s[64]; s[threadIdx.x] = a[threadIdx.x]; a[threadIdx.x] = s[threadIdx.x]; }
__global__ void called(float *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 0; }
__global__ void enumerated(float *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 0; }
__global__ void filled(float *a, int n, int by) { if (threadIdx.x < n) a[blockIdx.x * by + threadIdx.x] = 0; }

enum { FIRST = 3, SECOND, THIRD };
int count, width;
static void read_options(int argc, char **argv, Options &o)
{
    if (argc != 3) {
        width = 64;
    } else {
        count = atoi(argv[1]);
        width = atoi(argv[2]);
    }
}

static int up_to(int n, int by)
{
    if (n % by == 0) return n / by;
    return n / by + 1;
}

template <typename T> void sizes_for(T n, int &blocks, int &threads)
{
    threads = 1;
    while (threads < n && threads < 256) threads *= 2;
    blocks = (int)ceil((double)n / threads);
}

template <class T, int W> void launch_typed(T *a, T *b) { typed<T, W><<<1, W>>>(a, b); }

class Solver : public Base {
    void deep(float *a, int blocks, int rounds) {
        dim3 threads(WIDTH);
        dim3 grid(blocks);
        for (int t = 0; t < 10; t += rounds) {
            CHECKED(prepare(t));
            through<<<grid, threads>>>(a, SMALLER(rounds, 10 - t), blocks * WIDTH - 5);
        }
    }
};

// More than anybody would run to find the launch behind it; of the loops only those count that say how it is launched.
static void fill_and_launch(float *a)
{
    static float space[200][200][200], sums[200];
    int shape[2], i, j, k, width;
    for (i = 0; i < 200; i++)
        for (j = 0; j < 200; j++)
            for (k = 0; k < 200; k++) {
                space[i][j][k] = (float)(i * j + k);
                sums[k] += space[i][j][k];
                if (sums[k] > 1e30f) { printf("too large\n"); exit(1); }
            }
    for (i = 0; i < 2; i++) shape[i] = 8 << i;
    for (width = 1; width < shape[1]; width *= 2)
        ;
    filled<<<shape[0], 2 * width>>>(a, shape[0] * shape[1], 2 * width);
}

int main(int argc, char **argv)
{
    fill_and_launch(floats);
    std::vector<Thing> things = all_things();
    read_options(argc, argv, things.front().options);
    if (!(count = ask("how many?"))) return 1;
    int threads, blocks;
    threads = 256;
    blocks = up(count, threads);
    assigned<<<blocks, threads>>>(device_memory, count);

    Solver s;
    s.deep(floats, 12, 2);

    unsigned int n = 1 << 9;
    if (argc > 1) n = 7;
    if (has_option(argc, argv, "n")) report();
    rounded<<<dim3(n / 32, up_to(n, 100)), 32>>>(floats);

    const int kind = n > 500 ? 256 : 128;
    switch (kind) {
    case 128: switched<128><<<1, 64>>>(floats); break;
    case 256: switched<256><<<1, 192>>>(floats); break;
    default: std::cerr << "none" << std::endl;
    }

    int m = 100;
    if (getCmdLineInteger(argc, argv, "m")) m = getCmdLineInteger(argc, argv, "m");
    defaults<<<4, m + 28>>>(floats, m);

    Job job = read_job(argv[1]);
    dim3 g, b;
    g.x = job.rows / 64;
    b.x = width;
    members<<<g, b>>>(floats, b.x);

    int p, q;
    sizes_for(1000, p, q);
    by_reference<<<p, q>>>(floats);
    for (int step = 64; step > 0; step >>= 1) halving<<<1, step>>>(floats, step);
    launch_typed<double, 32>(doubles, doubles + 32);
    dim3 list = {16, 4, 1};
    listed<<<1, list>>>(floats);
    outside<<<1, SECOND * 10>>>(floats);
    unknown_type *x = lookup(things), y;
    lost<<<1, 65>>>(x->floats.data(), y);
    void *args[] = {&floats};
    CHECKED(cudaLaunchKernel((void *)called, dim3(8), dim3(64), args, 0, 0));
    const auto last = THIRD * 2;
    enumerated<<<last, 64, 0, stream>>>(floats);
    return 0;
}
__global__ void unknown_size(float *a) { __shared__ float s[SIZE_OF_SOMEBODY]; s[threadIdx.x] = a[threadIdx.x]; a[threadIdx.x] = s[threadIdx.x]; }
