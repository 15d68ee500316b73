// CHECK loops.c:before --permit reassociate --where "n <= 4096"
// FAULTS 12
// Sums of all that lies before, by three kernels: in each block up a tree and down, over the blocks by lanes of
// one warp at a time, and both added.
#define N 128
__global__ void blocks(int n, const float *x, float *y, float *sums) {
    __shared__ float s[N];
    int t = threadIdx.x, i = blockIdx.x * N + t;
#ifdef FAULT_1
    s[t] = i < n - 2 ? x[i] : 0;
#else
    s[t] = i < n ? x[i] : 0;
#endif
    __syncthreads();
#ifdef FAULT_2
    for (int d = 1; d < N / 2; d *= 2) {
#else
    for (int d = 1; d < N; d *= 2) {
#endif
        int k = (t + 1) * 2 * d - 1;
        if (k < N) s[k] += s[k - d];
#ifndef FAULT_3
        __syncthreads();
#endif
    }
    if (t == 0) {
#ifdef FAULT_4
        sums[blockIdx.x] = s[N - 2];
#else
        sums[blockIdx.x] = s[N - 1];
#endif
#ifndef FAULT_5
        s[N - 1] = 0;
#endif
    }
    __syncthreads();
    for (int d = N / 2; d > 0; d /= 2) {
        int k = (t + 1) * 2 * d - 1;
        if (k < N) {
            float left = s[k - d];
            s[k - d] = s[k];
#ifdef FAULT_6
            s[k] = left;
#else
            s[k] += left;
#endif
        }
        __syncthreads();
    }
    if (i < n) y[i] = s[t];
}

__global__ void over(int parts, float *sums) {
    int t = threadIdx.x;
#ifdef FAULT_7
    float v = t < parts - 2 ? sums[t] : 0;
#else
    float v = t < parts ? sums[t] : 0;
#endif
    for (int o = 1; o < 32; o *= 2) {
        float u = __shfl_up_sync(0xffffffff, v, o);
#if defined FAULT_8
        v += u;
#elif defined FAULT_9
        if (t > o) v += u;
#else
        if (t >= o) v += u;
#endif
    }
    if (t < parts) sums[t] = v;
}

__global__ void add(int n, float *y, const float *sums) {
    int i = blockIdx.x * N + threadIdx.x;
#if defined FAULT_10
    if (i < n) y[i] += sums[blockIdx.x];
#elif defined FAULT_11
    if (i < n && blockIdx.x > 1) y[i] += sums[blockIdx.x - 1];
#else
    if (i < n && blockIdx.x > 0) y[i] += sums[blockIdx.x - 1];
#endif
}

void before(int n, const float *x, float *y) {
#ifdef FAULT_12
    int parts = n / N;
#else
    int parts = (n + N - 1) / N;
#endif
    if (parts > 32) return;
    float *sums;
    cudaMalloc(&sums, parts * sizeof(float));
    blocks<<<parts, N>>>(n, x, y, sums);
    over<<<1, 32>>>(parts, sums);
    add<<<parts, N>>>(n, y, sums);
    cudaFree(sums);
}
