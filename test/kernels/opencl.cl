// The documents' kernels and others in OpenCL C, written anew.
// RUN --kernel matmul_local --grid 8,8 --block 16,16 --arg n=128 --arg A=16384 --arg B=16384 --arg C=16384
// RUN --kernel matmul_arg --grid 8,8 --block 16,16 --arg n=128 --arg at=256 --arg bt=256
// RUN --kernel jacobi --grid 4,8 --block 32,4 --arg n=128 --arg m=32
// RUN --kernel reduce --grid 8 --block 256 --arg n=4096 --arg scratch=256
// RUN --kernel transpose --grid 8,8 --block 16,16 --arg w=128 --arg h=128 --arg tile=272
// RUN --kernel saxpy4 --grid 8 --block 64 --arg n=2048
// RUN --kernel nbody --grid 8 --block 64 --arg n=512
// RUN --kernel symv --grid 4 --block 64 --arg n=256 --arg lda=256
// RUN --kernel gemv_t --grid 64 --block 128 --arg m=500 --arg n=64 --arg lda=512
// RUN --kernel blur --grid 8,8 --block 16,16 --arg w=128 --arg h=128
// RUN --kernel spmv --grid 8 --block 64 --arg rows=500
// RUN --kernel histogram --grid 4 --block 64 --arg n=4000
// RUN --kernel swizzles --grid 4 --block 64
// RUN --kernel stage_loads --grid 4 --block 64
// RUN --kernel gaussian_fan1 --grid 4 --block 64 --arg size=200 --arg t=3
// RUN --kernel early --grid 5 --block 64 --arg n=300
// RUN --kernel slip_tile --grid 8,8 --block 16,16 --arg n=128 --arg A=16384 --arg B=16384 --arg C=16384
// ERROR outside of A_local[16][16]
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define T 16

__kernel void matmul_local(__global float *C, __global const float *A, __global const float *B, const int n)
{
    __local float A_local[T][T];
    __local float B_local[T][T];
    float c_sub = 0.0f;
    for (int k = 0; k < n; k += T) {
        A_local[get_local_id(1)][get_local_id(0)] = A[get_global_id(1) * n + k + get_local_id(0)];
        B_local[get_local_id(1)][get_local_id(0)] = B[(k + get_local_id(1)) * n + get_global_id(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int kk = 0; kk < T; kk++)
            c_sub += A_local[get_local_id(1)][kk] * B_local[kk][get_local_id(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    C[get_global_id(1) * n + get_global_id(0)] = c_sub;
}

// The tile is read by the global number.
__kernel void slip_tile(__global float *C, __global const float *A, __global const float *B, const int n)
{
    __local float A_local[T][T];
    __local float B_local[T][T];
    float c_sub = 0.0f;
    for (int k = 0; k < n; k += T) {
        A_local[get_local_id(1)][get_local_id(0)] = A[get_global_id(1) * n + k + get_local_id(0)];
        B_local[get_local_id(1)][get_local_id(0)] = B[(k + get_local_id(1)) * n + get_global_id(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int kk = 0; kk < T; kk++)
            c_sub += A_local[get_global_id(1)][kk] * B_local[kk][get_local_id(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    C[get_global_id(1) * n + get_global_id(0)] = c_sub;
}

kernel void matmul_arg(global float *C, global const float *A, global const float *B, int n, local float *at, local float *bt)
{
    const int x = get_local_id(0), y = get_local_id(1), i = get_group_id(1) * T + y, j = get_group_id(0) * T + x;
    float sum = 0;
    for (int t = 0; t < n / T; t++) {
        at[y * T + x] = A[i * n + t * T + x];
        bt[y * T + x] = B[(t * T + y) * n + j];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < T; k++)
            sum = mad(at[y * T + k], bt[k * T + x], sum);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    C[i * n + j] = sum;
}

__kernel void jacobi(__global float *b, __global const float *a, int n, int m)
{
    size_t j = get_global_id(0), i = get_global_id(1);
    if (i == 0 || j == 0 || i >= m - 1 || j >= n - 1)
        return;
    b[i * n + j] = 0.25f * (a[(i - 1) * n + j] + a[(i + 1) * n + j] + a[i * n + j - 1] + a[i * n + j + 1]);
}

__kernel void reduce(__global const float *in, __global float *out, __local float *scratch, int n)
{
    int lid = get_local_id(0);
    float acc = 0;
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        acc += in[i];
    scratch[lid] = acc;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int offset = get_local_size(0) / 2; offset > 0; offset = offset / 2) {
        if (lid < offset)
            scratch[lid] += scratch[lid + offset];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0)
        out[get_group_id(0)] = scratch[0];
}

__kernel void transpose(__global float *out, __global const float *in, int w, int h, __local float *tile)
{
    unsigned int x = get_global_id(0), y = get_global_id(1);
    if (x < w && y < h)
        tile[get_local_id(1) * (T + 1) + get_local_id(0)] = in[y * w + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    x = get_group_id(1) * T + get_local_id(0);
    y = get_group_id(0) * T + get_local_id(1);
    if (x < h && y < w)
        out[y * h + x] = tile[get_local_id(0) * (T + 1) + get_local_id(1)];
}

__kernel void saxpy4(__global float4 *y, __global const float4 *x, float a, int n)
{
    int i = get_global_id(0);
    if (i < n / 4)
        y[i] = a * x[i] + y[i];
}

__kernel void nbody(__global float4 *acc, __global const float4 *pos, int n)
{
    __local float4 tile[64];
    int i = get_global_id(0), l = get_local_id(0);
    float4 me = pos[i], f = (float4)(0.0f);
    for (int t = 0; t < n; t += 64) {
        tile[l] = pos[t + l];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 64; k++) {
            float4 d = tile[k] - me;
            d.w = 0.0f;
            float r = rsqrt(dot(d, d) + 0.01f);
            f += d * (tile[k].w * r * r * r);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    acc[i].xyz = f.xyz;
}

// One thread a row of the lower triangle, and the column for the rest.
__kernel void symv(__global float *y, __global const float *a, __global const float *x, int n, int lda)
{
    __local float xs[64];
    int row = get_global_id(0), l = get_local_id(0);
    float sum = 0.0f;
    for (int b = 0; b < n; b += 64) {
        xs[l] = b + l < n ? x[b + l] : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 64; k++) {
            int j = b + k;
            sum += (j <= row ? a[row + lda * j] : a[j + lda * row]) * xs[k];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (row < n)
        y[row] = sum;
}

// A block a column.
__kernel void gemv_t(__global float *y, __global const float *a, __global const float *x, int m, int n, int lda)
{
    __local float part[128];
    int l = get_local_id(0), col = get_group_id(0);
    a += col * lda;
    float sum = 0;
    for (int i = l; i < m; i += 128)
        sum += a[i] * x[i];
    part[l] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 64; s >= 1; s >>= 1) {
        if (l < s)
            part[l] += part[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        y[col] = part[0];
}

__constant float weights[9] = {1, 2, 1, 2, 4, 2, 1, 2, 1};
__kernel void blur(__global uchar *out, __global const uchar *in, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    float s = 0;
    for (int i = -1; i <= 1; i++)
        for (int j = -1; j <= 1; j++) {
            int xx = clamp(x + j, 0, w - 1), yy = clamp(y + i, 0, h - 1);
            s += weights[(i + 1) * 3 + j + 1] * in[yy * w + xx];
        }
    out[y * w + x] = (uchar)(s / 16.0f);
}

__kernel void spmv(__global const float *restrict val, __global const int *restrict col, __global const int *restrict row,
                   __global const float *restrict x, const int rows, __global float *restrict y)
{
    int r = get_global_id(0);
    if (r >= rows) return;
    float t = 0;
    for (int j = row[r]; j < row[r + 1]; j++)
        t += val[j] * x[col[j]];
    y[r] = t;
}

__kernel void histogram(__global uint *bins, __global const uint *data, int n)
{
    __local uint part[64];
    part[get_local_id(0)] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        atomic_inc(&part[data[i] & 63u]);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&bins[get_local_id(0)], part[get_local_id(0)]);
}

__kernel void swizzles(__global float *out, __global const float *in)
{
    int i = get_global_id(0);
    float4 v = vload4(i, in);
    float2 lo = v.lo, hi = v.s23;
    v.xy = hi;
    v.zw = lo.yx;
    v = fmax(v, (float4)(0.5f)) * 2.0f;
    vstore4(-v, i, out);
}

typedef struct { float x, y; int kind; } Particle;
Particle moved(Particle p, float dt)
{
    p.x += dt;
    if (p.kind > 0)
        p.y -= dt;
    return p;
}
__kernel void stage_loads(__global Particle *p, float dt)
{
    int i = get_global_id(0);
    p[i] = moved(p[i], dt);
}

__kernel void gaussian_fan1(__global float *m, __global float *a, const int size, const int t)
{
    int globalId = get_global_id(0);
    if (globalId < size - 1 - t)
        *(m + size * (globalId + t + 1) + t) = *(a + size * (globalId + t + 1) + t) / *(a + size * t + t);
}

__kernel void early(__global int *out, __global const int *in, int n)
{
    int i = get_global_id(0);
    if (i >= n) return;
    int best = -1;
    for (int k = 0; k < 16; k++) {
        if (in[i * 16 + k] < 0) continue;
        if (in[i * 16 + k] == 7) { best = k; break; }
        if (in[i * 16 + k] > 100) return;
    }
    out[i] = best;
}
