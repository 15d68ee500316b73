// CHECK loops.c:saxpy
// FAULTS 32
// UNREAD_FAULTS 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 23 24 25 30 31 32
// What the host's code gives a launch, and what C makes of it on the way. What is not modelled is not understood.
__global__ void product(int n, float a, const float *x, float *t) {
    extern __shared__ float s[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x] = i < n ? x[i] : 0.0f;
    if (i < n) t[i] = a * s[threadIdx.x];
}
__global__ void add(int n, const float *t, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += t[i];
}
#if defined FAULT_1
#define X x + 1
#elif defined FAULT_2
#define X &x[1]
#elif defined FAULT_3
#define T t + 1
#elif defined FAULT_4
#define Y y - 1
#elif defined FAULT_5
#define N n & ~3
#elif defined FAULT_6
#define N n | 1
#elif defined FAULT_7
#define N n ^ 1
#elif defined FAULT_8
#define N n >> 1 << 1
#elif defined FAULT_9
#define N n & 0xffff
#elif defined FAULT_10
#define A a * 0.5f
#elif defined FAULT_11
#define A a - 0.25f
#elif defined FAULT_12
#define A (int)a
#elif defined FAULT_13
#define N (short)n
#elif defined FAULT_14
#define BLOCKS (unsigned char)((n + 63) / 64)
#elif defined FAULT_15
#define DECLARE short blocks = (n + 63) / 64;
#define BLOCKS blocks
#elif defined FAULT_16
#define DECLARE unsigned char m = n;
#define N m
#elif defined FAULT_17
#define DECLARE float m = n;
#define N m
#elif defined FAULT_18
#define DECLARE int m = a;
#define A m
#elif defined FAULT_19
#define ZEROS n * sizeof(char)
#elif defined FAULT_20
#define ZEROS 4 * n - 1
#elif defined FAULT_21
#define ZEROS n * sizeof(struct odd)
#elif defined FAULT_22
#define DECLARE float *q = y + 1;
#define Y q
#elif defined FAULT_23
#define BLOCKS ceil(n + 63 / 64.0)
#elif defined FAULT_24
#define BLOCKS ceil(n / 128.0 / 0.5)
#elif defined FAULT_25
#define N 010 + n - 010
#elif defined FAULT_26
#define SHARED 64 * sizeof(char)
#elif defined FAULT_27
#define SHARED 0
#elif defined FAULT_28
#define BYTES n * sizeof(short)
#elif defined FAULT_29
#define ZEROS n * sizeof(float *)
#endif
#ifndef X
#define X (const float *)x
#endif
#ifndef Y
#define Y y
#endif
#ifndef T
#define T t
#endif
#ifndef N
#define N (int)(size_t)n
#endif
#ifndef A
#define A (float)a
#endif
#ifndef BLOCKS
#define BLOCKS (unsigned int)((n + 63) / 64)
#endif
#ifndef DECLARE
#define DECLARE
#endif
#ifndef ZEROS
#define ZEROS n * sizeof(*t)
#endif
#ifndef BYTES
#define BYTES sizeof(float) * n
#endif
#ifndef SHARED
#define SHARED 64 * sizeof(float)
#endif
void saxpy(int n, float a, const float *x, float *y) {
    float *t;
    DECLARE
    cudaMalloc((void **)&t, BYTES);
    cudaMemset((void *)t, 0, ZEROS);
    product<<<BLOCKS, 64, SHARED>>>(N, A, X, t);
#ifdef FAULT_30
    cudaFree(t);
#elif defined FAULT_31
    for (int k = 0; k < 1; k++) cudaFree(t);
#elif defined FAULT_32
    cudaMalloc(&t, BYTES);
#endif
    add<<<(n + 63) / 64, 64>>>(n, T, Y);
    cudaFree(t);
}
