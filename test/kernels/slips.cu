// The documents' printed slips, kept: each is found where it does its harm.
// RUN --kernel k4_strip --grid 4,64 --block 32 --arg pitch_a=128 --arg pitch_b=128 --arg pitch_c=128 --arg n=128 --arg m=128 --arg p=128
// ERROR outside of cb0[32]
// ERROR outside of cb1[32]
// RUN --kernel k5_strip --grid 8,8 --block 16,16 --arg pitch_a=128 --arg pitch_b=128 --arg pitch_c=128 --arg n=128 --arg m=128 --arg p=128
// ERROR outside of bt[16][16]
// ERROR outside of ct[16][16]
// RUN --kernel k4_bound --grid 4,50 --block 32 --arg pitch_a=100 --arg pitch_b=100 --arg pitch_c=90 --arg n=100 --arg m=99 --arg p=90 --arg b=9000
// ERROR outside of b[9000]
// RUN --kernel no_second_barrier --grid 4,128 --block 64 --arg p=128 --arg pitch=128
// ERROR no barrier is between them
// RUN --kernel no_first_barrier --grid 4,128 --block 64 --arg p=128 --arg pitch=128
// ERROR no barrier is between them
// RUN --kernel lonely_barrier --grid 4 --block 64 --arg n=250
// REMARK threads that returned at
// REMARK this barrier orders nothing
// RUN --kernel odd_barrier --grid 4 --block 64 --arg n=250
// ERROR this barrier is under the condition
// REMARK this barrier orders nothing
// RUN --kernel three_barriers --grid 4 --block 64
// REMARK this barrier orders nothing
#define MATRICES float *a, const float *b, const float *c, int pitch_a, int pitch_b, int pitch_c, int n, int m, int p

// k runs over 64 of a strip of 32.
extern "C" __global__ void k4_strip(MATRICES)
{
    __shared__ float cb0[32], cb1[32];
    int tx = threadIdx.x, i = blockIdx.x * 32 + tx, j = blockIdx.y * 2;
    float sum0 = 0.0f, sum1 = 0.0f;
    for (int ks = 0; ks < p; ks += 32) {
        cb0[tx] = c[ks + tx + pitch_c * j];
        cb1[tx] = c[ks + tx + pitch_c * (j + 1)];
        __syncthreads();
        for (int k = ks; k < ks + 64; ++k) {
            sum0 += b[i + pitch_b * k] * cb0[k - ks];
            sum1 += b[i + pitch_b * k] * cb1[k - ks];
        }
        __syncthreads();
    }
    a[i + pitch_a * j] += sum0;
    a[i + pitch_a * (j + 1)] += sum1;
}

// k runs over 64 of a tile of 16, and the result's tile has lost its offset.
extern "C" __global__ void k5_strip(MATRICES)
{
    __shared__ float bt[16][16], ct[16][16];
    int i = threadIdx.x, j = threadIdx.y, is = blockIdx.x * 16, js = blockIdx.y * 16;
    float at = 0.0f;
    for (int ks = 0; ks < p; ks += 16) {
        bt[i][j] = b[is + i + pitch_b * (ks + j)];
        ct[i][j] = c[ks + i + pitch_c * (js + j)];
        __syncthreads();
        for (int k = ks; k < ks + 64; ++k)
            at += bt[i][k] * ct[k][j];
        __syncthreads();
    }
    a[i + pitch_a * j] = at;
}

// k is bounded by the columns of a.
extern "C" __global__ void k4_bound(MATRICES)
{
    __shared__ float cb[32];
    int tx = threadIdx.x, i = blockIdx.x * 32 + tx, j = blockIdx.y;
    float sum = 0.0f;
    for (int ks = 0; ks < p; ks += 32) {
        cb[tx] = ks + tx < p && j < m ? c[ks + tx + pitch_c * j] : 0.0f;
        __syncthreads();
        if (i < n)
            for (int k = ks; k < ((ks + 32 < m) ? ks + 32 : m); ++k)
                sum += b[i + pitch_b * k] * cb[k - ks];
        __syncthreads();
    }
    if (i < n && j < m)
        a[i + pitch_a * j] = sum;
}

extern "C" __global__ void no_second_barrier(float *a, const float *b, const float *c, int p, int pitch)
{
    __shared__ float cb[64];
    int tx = threadIdx.x;
    float sum = 0.0f;
    for (int ks = 0; ks < p; ks += 64) {
        cb[tx] = c[ks + tx];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += b[k + ks + pitch * tx] * cb[k];
    }
    a[blockIdx.x * 64 + tx] = sum;
}

extern "C" __global__ void no_first_barrier(float *a, const float *b, const float *c, int p, int pitch)
{
    __shared__ float cb[64];
    int tx = threadIdx.x;
    float sum = 0.0f;
    for (int ks = 0; ks < p; ks += 64) {
        cb[tx] = c[ks + tx];
        for (int k = 0; k < 64; ++k)
            sum += b[k + ks + pitch * tx] * cb[k];
        __syncthreads();
    }
    a[blockIdx.x * 64 + tx] = sum;
}

extern "C" __global__ void lonely_barrier(float *a, int n)
{
    __shared__ float s[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    s[threadIdx.x] = a[i];
    __syncthreads();
    a[i] = s[threadIdx.x] * 2;
}

extern "C" __global__ void three_barriers(float *a)
{
    __shared__ float s[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x] = a[i];
    __syncthreads();
    float x = s[63 - threadIdx.x];
    __syncthreads();
    a[i] = x;
}

extern "C" __global__ void odd_barrier(float *a, int n)
{
    __shared__ float s[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x % 2) {
        s[threadIdx.x] = a[i];
        __syncthreads();
    }
    if (i < n) a[i] = threadIdx.x % 2 ? s[threadIdx.x] * 2 : 0;
}
