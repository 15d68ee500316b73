// Kernels as people write them: vectors, sums, particles, grids. The model was made without them; what they showed then went into it.
// RUN --kernel saxpy --grid 16384 --block 256 --arg y=4194304 --arg x=4194304 --arg a=2 --arg n=4194304
// RUN --kernel saxpy_stretch --grid 528 --block 256 --arg y=4194304 --arg x=4194304 --arg a=2 --arg n=4194304
// RUN --kernel stride_copy --grid 4096 --block 256 --arg y=1048576 --arg x=7340032 --arg n=1048576 --arg stride=7
// RUN --kernel points_aos --grid 8192 --block 128 --arg p=6291456 --arg v=6291456 --arg dt=1 --arg n=1048576
// RUN --kernel points_soa --grid 8192 --block 128 --arg x=1048576 --arg y=1048576 --arg z=1048576 --arg vx=1048576 --arg vy=1048576 --arg vz=1048576 --arg dt=1 --arg n=1048576
// RUN --kernel gather --grid 8192 --block 128 --arg y=1048576 --arg x=1048576 --arg idx=1048576 --arg n=1048576 ; range 1048576
// RUN --kernel sum_interleaved --grid 4096 --block 256 --arg out=4096 --arg in=1048576
// RUN --kernel sum_halves --grid 4096 --block 256 --arg out=4096 --arg in=1048576
// RUN --kernel sum_stretch --grid 264 --block 256 --arg out=264 --arg in=4194304 --arg n=4194304
// RUN --kernel scan_block --grid 4096 --block 256 --arg out=1048576 --arg in=1048576
// RUN --kernel counts --grid 264 --block 256 --arg bins=256 --arg data=4194304 --arg n=4194304 ; range 256
// RUN --kernel ell_product --grid 1024 --block 128 --arg y=131072 --arg val=2097152 --arg col=2097152 --arg x=131072 --arg rows=131072 --arg width=16 ; range 131072
// RUN --kernel heat3d --grid 16,32,16 --block 16,8,1 --arg out=16777216 --arg in=16777216 --arg nx=256 --arg ny=256 --arg nz=256
// RUN --kernel heat2d_shared --grid 128,128 --block 16,16 --arg out=4194304 --arg in=4194304 --arg n=2048
// RUN --kernel forces --grid 64 --block 256 --arg acc=65536 --arg pos=65536 --arg n=16384
// RUN --kernel options --grid 4096 --block 256 --arg call=1048576 --arg price=1048576 --arg strike=1048576 --arg years=1048576 --arg n=1048576
// RUN --kernel mandel --grid 64,64 --block 16,16 --arg out=1048576 --arg w=1024 --arg h=1024 --arg most=256
// RUN --kernel butterflies --grid 2048 --block 256 --arg re=1048576 --arg im=1048576 --arg half=64
// RUN --kernel softmax_rows --grid 4096 --block 256 --arg y=4194304 --arg x=4194304 --arg n=1024
// RUN --kernel bitonic_step --grid 4096 --block 256 --arg v=1048576 --arg j=8 --arg k=64
// RUN --kernel histogram_private --grid 256 --block 64 --arg out=65536 --arg data=1048576 --arg per=64 ; range 256
#include <math.h>

extern "C" __global__ void saxpy(float *y, const float *x, float a, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}

extern "C" __global__ void saxpy_stretch(float *y, const float *x, float a, int n)
{
    for (int i = blockDim.x * blockIdx.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = a * x[i] + y[i];
}

extern "C" __global__ void stride_copy(float *y, const float *x, int n, int stride)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n)
        y[i] = x[i * stride];
}

extern "C" __global__ void points_aos(float *p, const float *v, float dt, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i >= n)
        return;
    p[6 * i] += dt * v[6 * i];
    p[6 * i + 1] += dt * v[6 * i + 1];
    p[6 * i + 2] += dt * v[6 * i + 2];
}

extern "C" __global__ void points_soa(float *x, float *y, float *z, const float *vx, const float *vy, const float *vz, float dt, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i >= n)
        return;
    x[i] += dt * vx[i];
    y[i] += dt * vy[i];
    z[i] += dt * vz[i];
}

extern "C" __global__ void gather(float *y, const float *x, const int *idx, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n)
        y[i] = x[idx[i]];
}

extern "C" __global__ void sum_interleaved(float *out, const float *in)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 256 + t];
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        if (t % (2 * d) == 0)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}

extern "C" __global__ void sum_halves(float *out, const float *in)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 256 + t];
    __syncthreads();
    for (int d = 128; d > 0; d /= 2) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}

extern "C" __global__ void sum_stretch(float *out, const float *in, int n)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    float mine = 0;
    for (int i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256)
        mine += in[i];
    s[t] = mine;
    __syncthreads();
    for (int d = 128; d > 0; d /= 2) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}

extern "C" __global__ void scan_block(float *out, const float *in)
{
    __shared__ float a[256], b[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    a[t] = in[i];
    __syncthreads();
    for (int d = 1; d < 256; d *= 4) {
        b[t] = t >= d ? a[t] + a[t - d] : a[t];
        __syncthreads();
        a[t] = t >= 2 * d ? b[t] + b[t - 2 * d] : b[t];
        __syncthreads();
    }
    out[i] = a[t];
}

extern "C" __global__ void counts(int *bins, const int *data, int n)
{
    __shared__ int local[256];
    local[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&local[data[i]], 1);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

extern "C" __global__ void ell_product(float *y, const float *val, const int *col, const float *x, int rows, int width)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows)
        return;
    float s = 0;
    for (int k = 0; k < width; k++)
        s += val[k * rows + r] * x[col[k * rows + r]];
    y[r] = s;
}

extern "C" __global__ void heat3d(float *out, const float *in, int nx, int ny, int nz)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int z0 = blockIdx.z * 16;
    if (x < 1 || x >= nx - 1 || y < 1 || y >= ny - 1)
        return;
    for (int z = z0 > 0 ? z0 : 1; z < z0 + 16 && z < nz - 1; z++) {
        int i = (z * ny + y) * nx + x;
        out[i] = 0.4f * in[i] + 0.1f * (in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + in[i - nx * ny] + in[i + nx * ny]);
    }
}

extern "C" __global__ void heat2d_shared(float *out, const float *in, int n)
{
    __shared__ float s[18][18];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    int sx = threadIdx.x + 1, sy = threadIdx.y + 1;
    s[sy][sx] = in[y * n + x];
    if (threadIdx.x == 0 && x > 0)
        s[sy][0] = in[y * n + x - 1];
    if (threadIdx.x == 15 && x < n - 1)
        s[sy][17] = in[y * n + x + 1];
    if (threadIdx.y == 0 && y > 0)
        s[0][sx] = in[(y - 1) * n + x];
    if (threadIdx.y == 15 && y < n - 1)
        s[17][sx] = in[(y + 1) * n + x];
    __syncthreads();
    if (x > 0 && x < n - 1 && y > 0 && y < n - 1)
        out[y * n + x] = 0.25f * (s[sy][sx - 1] + s[sy][sx + 1] + s[sy - 1][sx] + s[sy + 1][sx]);
}

extern "C" __global__ void forces(float *acc, const float *pos, int n)
{
    __shared__ float px[256], py[256], pz[256], pm[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    float x = pos[4 * i], y = pos[4 * i + 1], z = pos[4 * i + 2];
    float ax = 0, ay = 0, az = 0;
    for (int j0 = 0; j0 < n; j0 += 256) {
        px[threadIdx.x] = pos[4 * (j0 + threadIdx.x)];
        py[threadIdx.x] = pos[4 * (j0 + threadIdx.x) + 1];
        pz[threadIdx.x] = pos[4 * (j0 + threadIdx.x) + 2];
        pm[threadIdx.x] = pos[4 * (j0 + threadIdx.x) + 3];
        __syncthreads();
        for (int j = 0; j < 256; j++) {
            float dx = px[j] - x, dy = py[j] - y, dz = pz[j] - z;
            float r2 = dx * dx + dy * dy + dz * dz + 1e-4f;
            float inv = rsqrtf(r2);
            float w = pm[j] * inv * inv * inv;
            ax += w * dx;
            ay += w * dy;
            az += w * dz;
        }
        __syncthreads();
    }
    acc[4 * i] = ax;
    acc[4 * i + 1] = ay;
    acc[4 * i + 2] = az;
}

extern "C" __global__ void options(float *call, const float *price, const float *strike, const float *years, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 10.0f + fabsf(price[i]), k = 10.0f + fabsf(strike[i]), t = 0.1f + fabsf(years[i]);
    float root = sqrtf(t), d1 = (logf(s / k) + 0.06f * t) / (0.3f * root), d2 = d1 - 0.3f * root;
    call[i] = s * 0.5f * erfcf(-0.70710678f * d1) - k * expf(-0.02f * t) * 0.5f * erfcf(-0.70710678f * d2);
}

extern "C" __global__ void mandel(int *out, int w, int h, int most)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    float cx = -2.0f + 3.0f * px / w, cy = -1.5f + 3.0f * py / h, x = 0, y = 0;
    int k = 0;
    while (k < most && x * x + y * y < 4.0f) {
        float t = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = t;
        k++;
    }
    out[py * w + px] = k;
}

extern "C" __global__ void butterflies(float *re, float *im, int half)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int low = t % half, i = (t / half) * 2 * half + low, j = i + half;
    float wr = 0.9f, wi = 0.1f;
    float tr = wr * re[j] - wi * im[j], ti = wr * im[j] + wi * re[j];
    re[j] = re[i] - tr;
    im[j] = im[i] - ti;
    re[i] = re[i] + tr;
    im[i] = im[i] + ti;
}

extern "C" __global__ void softmax_rows(float *y, const float *x, int n)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    const float *row = x + blockIdx.x * n;
    float most = -1e30f, sum = 0;
    for (int i = t; i < n; i += 256)
        most = fmaxf(most, row[i]);
    s[t] = most;
    __syncthreads();
    for (int d = 128; d > 0; d /= 2) {
        if (t < d)
            s[t] = fmaxf(s[t], s[t + d]);
        __syncthreads();
    }
    most = s[0];
    __syncthreads();
    for (int i = t; i < n; i += 256)
        sum += expf(row[i] - most);
    s[t] = sum;
    __syncthreads();
    for (int d = 128; d > 0; d /= 2) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    sum = s[0];
    for (int i = t; i < n; i += 256)
        y[blockIdx.x * n + i] = expf(row[i] - most) / sum;
}

extern "C" __global__ void bitonic_step(float *v, int j, int k)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, o = i ^ j;
    if (o > i) {
        float p = v[i], q = v[o];
        if ((i & k) == 0 ? p > q : p < q) {
            v[i] = q;
            v[o] = p;
        }
    }
}

// Each thread counts in a row of its own.
extern "C" __global__ void histogram_private(unsigned char *out, const unsigned char *data, int per)
{
    __shared__ unsigned char mine[64][64];
    for (int b = 0; b < 64; b++)
        mine[threadIdx.x][b] = 0;
    int at = (blockIdx.x * 64 + threadIdx.x) * per;
    for (int i = 0; i < per; i++)
        mine[threadIdx.x][data[at + i] % 64]++;
    __syncthreads();
    int sum = 0;
    for (int t = 0; t < 64; t++)
        sum += mine[t][threadIdx.x];
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}
