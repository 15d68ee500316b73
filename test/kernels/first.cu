// The first document's kernels, written anew: column-major a += b * c, by strips and tiles.
// RUN --kernel k1 --grid 4,128 --block 32 --arg pitch_a=128 --arg pitch_b=128 --arg pitch_c=128 --arg n=128 --arg m=128 --arg p=128 --arg a=16384 --arg b=16384 --arg c=16384
// RUN --kernel ks --grid 4,128 --block 32 --arg pitch_a=128 --arg pitch_b=128 --arg pitch_c=128 --arg n=128 --arg m=128 --arg p=128 --arg a=16384 --arg b=16384 --arg c=16384
// RUN --kernel k2<32> --grid 4,128 --block 32 --arg pitch_a=128 --arg pitch_b=128 --arg pitch_c=128 --arg n=128 --arg m=128 --arg p=128 --arg a=16384 --arg b=16384 --arg c=16384
// RUN --kernel k2<128> --grid 1,128 --block 128 --arg pitch_a=128 --arg pitch_b=128 --arg pitch_c=256 --arg n=128 --arg m=128 --arg p=256 --arg a=16384 --arg b=32768 --arg c=32768
// RUN --kernel k3 --grid 2,128 --block 32 --arg pitch_a=128 --arg pitch_b=128 --arg pitch_c=128 --arg n=128 --arg m=128 --arg p=128 --arg a=16384 --arg b=16384 --arg c=16384
// RUN --kernel k4 --grid 4,64 --block 32 --arg pitch_a=128 --arg pitch_b=128 --arg pitch_c=128 --arg n=128 --arg m=128 --arg p=128 --arg a=16384 --arg b=16384 --arg c=16384
// RUN --kernel k4_edges --grid 4,50 --block 32 --arg pitch_a=100 --arg pitch_b=100 --arg pitch_c=90 --arg n=100 --arg m=99 --arg p=90
// RUN --kernel k5 --grid 8,8 --block 16,16 --arg pitch_a=128 --arg pitch_b=128 --arg pitch_c=128 --arg n=128 --arg m=128 --arg p=128 --arg a=16384 --arg b=16384 --arg c=16384
// RUN --kernel thin --grid 2,8 --block 16,4 --arg pitch_a=128 --arg pitch_b=128 --arg pitch_c=128 --arg n=128 --arg m=128 --arg p=128
#define MATRICES float *a, const float *b, const float *c, int pitch_a, int pitch_b, int pitch_c, int n, int m, int p

extern "C" __global__ void k1(MATRICES)
{
    int i = blockIdx.x * 32 + threadIdx.x;
    int j = blockIdx.y;
    float sum = 0.0f;
    for (int k = 0; k < p; ++k)
        sum += b[i + pitch_b * k] * c[k + pitch_c * j];
    a[i + pitch_a * j] += sum;
}

// The lanes walk along a column.
extern "C" __global__ void ks(MATRICES)
{
    int j = blockIdx.x * 32 + threadIdx.x;
    int i = blockIdx.y;
    float sum = 0.0f;
    for (int k = 0; k < p; ++k)
        sum += b[i + pitch_b * k] * c[k + pitch_c * j];
    a[i + pitch_a * j] += sum;
}

template <int WIDTH>
__global__ void k2(MATRICES)
{
    __shared__ float cb[WIDTH];
    const int tx = threadIdx.x, i = blockIdx.x * WIDTH + tx, j = blockIdx.y;
    float sum = 0.0f;
    for (int ks = 0; ks < p; ks += WIDTH) {
        cb[tx] = c[ks + tx + pitch_c * j];
        __syncthreads();
        for (int k = ks; k < ks + WIDTH; ++k)
            sum += b[i + pitch_b * k] * cb[k - ks];
        __syncthreads();
    }
    a[i + pitch_a * j] += sum;
}

extern "C" __global__ void k3(MATRICES)
{
    __shared__ float cb[32];
    int tx = threadIdx.x, i = blockIdx.x * 64 + tx, j = blockIdx.y;
    float sum0 = 0.0f, sum1 = 0.0f;
    for (int ks = 0; ks < p; ks += 32) {
        cb[tx] = c[ks + tx + pitch_c * j];
        __syncthreads();
        for (int k = ks; k < ks + 32; ++k) {
            sum0 += b[i + pitch_b * k] * cb[k - ks];
            sum1 += b[i + 32 + pitch_b * k] * cb[k - ks];
        }
        __syncthreads();
    }
    a[i + pitch_a * j] += sum0;
    a[i + 32 + pitch_a * j] += sum1;
}

extern "C" __global__ void k4(MATRICES)
{
    __shared__ float cb0[32], cb1[32];
    int tx = threadIdx.x, i = blockIdx.x * 32 + tx, j = blockIdx.y * 2;
    float sum0 = 0.0f, sum1 = 0.0f;
    for (int ks = 0; ks < p; ks += 32) {
        cb0[tx] = c[ks + tx + pitch_c * j];
        cb1[tx] = c[ks + tx + pitch_c * (j + 1)];
        __syncthreads();
#pragma unroll 4
        for (int k = ks; k < ks + 32; ++k) {
            float rb = b[i + pitch_b * k];
            sum0 += rb * cb0[k - ks];
            sum1 += rb * cb1[k - ks];
        }
        __syncthreads();
    }
    a[i + pitch_a * j] += sum0;
    a[i + pitch_a * (j + 1)] += sum1;
}

extern "C" __global__ void k4_edges(MATRICES)
{
    __shared__ float cb0[32], cb1[32];
    int tx = threadIdx.x, i = blockIdx.x * 32 + tx, j = blockIdx.y * 2;
    float sum0 = 0.0f, sum1 = 0.0f;
    for (int ks = 0; ks < p; ks += 32) {
        if (ks + tx < p && j < m)
            cb0[tx] = c[ks + tx + pitch_c * j];
        else
            cb0[tx] = 0.0f;
        if (ks + tx < p && j + 1 < m)
            cb1[tx] = c[ks + tx + pitch_c * (j + 1)];
        else
            cb1[tx] = 0.0f;
        __syncthreads();
        if (i < n) {
            for (int k = ks; k < ((ks + 32 < p) ? ks + 32 : p); ++k) {
                float rb = b[i + pitch_b * k];
                sum0 += rb * cb0[k - ks];
                sum1 += rb * cb1[k - ks];
            }
        }
        __syncthreads();
    }
    if (i < n && j < m)
        a[i + pitch_a * j] += sum0;
    if (i < n && j + 1 < m)
        a[i + pitch_a * (j + 1)] += sum1;
}

extern "C" __global__ void k5(MATRICES)
{
    __shared__ float bt[16][16], ct[16][16];
    int ti = threadIdx.x, tj = threadIdx.y;
    int i = blockIdx.x * 16 + ti, j = blockIdx.y * 16 + tj;
    float at = 0.0f;
    for (int ks = 0; ks < p; ks += 16) {
        bt[tj][ti] = b[i + pitch_b * (ks + tj)];
        ct[tj][ti] = c[ks + ti + pitch_c * j];
        __syncthreads();
        for (int k = 0; k < 16; ++k)
            at += bt[k][ti] * ct[tj][k];
        __syncthreads();
    }
    a[i + pitch_a * j] += at;
}

// 64 threads, sixteen sums each: the operands' pointers walk.
extern "C" __global__ void thin(MATRICES)
{
    __shared__ float cs[16][17];
    const int tx = threadIdx.x, ty = threadIdx.y, id = tx + ty * 16;
    b += blockIdx.x * 64 + id;
    c += tx + (blockIdx.y * 16 + ty) * pitch_c;
    a += blockIdx.x * 64 + id + blockIdx.y * 16 * pitch_a;
    float sums[16] = {0.0f};
    const float *last = b + p * pitch_b;
    do {
        for (int i = 0; i < 16; i += 4)
            cs[tx][ty + i] = c[i * pitch_c];
        __syncthreads();
        for (int k = 0; k < 16; k++, b += pitch_b)
            for (int j = 0; j < 16; j++)
                sums[j] += b[0] * cs[k][j];
        c += 16;
        __syncthreads();
    } while (b < last);
    for (int j = 0; j < 16; j++, a += pitch_a)
        a[0] += sums[j];
}
