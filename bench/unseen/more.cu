// More kernels as people write them, counted once, at the end: nothing of the model was fitted to them.
// RUN --kernel triad --grid 8192 --block 256 --arg a=2097152 --arg b=2097152 --arg c=2097152 --arg s=3 --arg n=2097152
// RUN --kernel fdtd_e --grid 64,256 --block 32,8 --arg e=4194304 --arg h=4194304 --arg n=2048
// RUN --kernel mean_rows --grid 2048 --block 128 --arg mean=2048 --arg m=8388608 --arg cols=4096
// RUN --kernel outer_sum --grid 128,128 --block 16,16 --arg out=4194304 --arg x=2048 --arg y=2048 --arg n=2048
// RUN --kernel max_pool --grid 32,64 --block 32,16 --arg out=1048576 --arg in=4194304 --arg w=2048
// RUN --kernel conv_line --grid 8192 --block 256 --arg out=2097152 --arg in=2097216 --arg taps=33
// RUN --kernel gather_rows --grid 4096 --block 128 --arg out=524288 --arg table=8388608 --arg idx=4096 ; range 65536
// RUN --kernel atax_row --grid 64 --block 64 --arg t=4096 --arg A=16777216 --arg x=4096 --arg n=4096
// RUN --kernel atax_column --grid 64 --block 64 --arg y=4096 --arg A=16777216 --arg t=4096 --arg n=4096
// RUN --kernel gemm_strip --grid 16,128 --block 64,1 --arg C=1048576 --arg A=1048576 --arg B=1048576 --arg n=1024
// RUN --kernel dct_blocks --grid 128,128 --block 8,8 --arg out=1048576 --arg in=1048576 --arg w=1024
// RUN --kernel rgb_to_grey --grid 4096 --block 256 --arg grey=1048576 --arg rgb=3145728 --arg n=1048576
// RUN --kernel leapfrog --grid 512,8 --block 64,4 --arg u=33554432 --arg v=33554432 --arg nx=32768 --arg ny=1024
// RUN --kernel polynomial --grid 4096 --block 256 --arg y=1048576 --arg x=1048576 --arg n=1048576
// RUN --kernel column_scan --grid 8 --block 128 --arg m=1048576 --arg rows=1024 --arg cols=1024
// RUN --kernel diffuse_shared --grid 128,128 --block 16,16 --arg out=4194304 --arg in=4194304 --arg n=2048

extern "C" __global__ void triad(double *a, const double *b, const double *c, double s, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = b[i] + s * c[i];
}

extern "C" __global__ void fdtd_e(float *e, const float *h, int n)
{
    int j = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y * 8 + threadIdx.y;
    if (i > 0 && i < n && j < n)
        e[i * n + j] -= 0.5f * (h[i * n + j] - h[(i - 1) * n + j]);
}

extern "C" __global__ void mean_rows(float *mean, const float *m, int cols)
{
    __shared__ float part[128];
    int t = threadIdx.x;
    float s = 0;
    for (int c = t; c < cols; c += 128)
        s += m[blockIdx.x * cols + c];
    part[t] = s;
    __syncthreads();
    for (int d = 64; d > 0; d >>= 1) {
        if (t < d)
            part[t] += part[t + d];
        __syncthreads();
    }
    if (t == 0)
        mean[blockIdx.x] = part[0] / cols;
}

extern "C" __global__ void outer_sum(float *out, const float *x, const float *y, int n)
{
    int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
    out[i * n + j] = x[i] + y[j];
}

extern "C" __global__ void max_pool(float *out, const float *in, int w)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    const float *p = in + 2 * y * w + 2 * x;
    float top = p[0] > p[1] ? p[0] : p[1], low = p[w] > p[w + 1] ? p[w] : p[w + 1];
    out[y * (w / 2) + x] = top > low ? top : low;
}

extern "C" __global__ void conv_line(float *out, const float *in, const float *taps)
{
    __shared__ float s[256 + 32];
    int t = threadIdx.x, base = blockIdx.x * 256;
    s[t] = in[base + t];
    if (t < 32)
        s[256 + t] = in[base + 256 + t];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 33; k++)
        sum += taps[k] * s[t + k];
    out[base + t] = sum;
}

extern "C" __global__ void gather_rows(float *out, const float *table, const int *idx)
{
    out[blockIdx.x * 128 + threadIdx.x] = table[idx[blockIdx.x] * 128 + threadIdx.x];
}

extern "C" __global__ void atax_row(float *t, const float *A, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0;
    for (int j = 0; j < n; j++)
        s += A[i * n + j] * x[j];
    t[i] = s;
}

extern "C" __global__ void atax_column(float *y, const float *A, const float *t, int n)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0;
    for (int i = 0; i < n; i++)
        s += A[i * n + j] * t[i];
    y[j] = s;
}

// Each thread has eight rows of one column.
extern "C" __global__ void gemm_strip(float *C, const float *A, const float *B, int n)
{
    __shared__ float a[8][32];
    int j = blockIdx.x * 64 + threadIdx.x, i0 = blockIdx.y * 8;
    float acc[8] = {0};
    for (int k0 = 0; k0 < n; k0 += 32) {
        for (int e = threadIdx.x; e < 256; e += 64)
            a[e / 32][e % 32] = A[(i0 + e / 32) * n + k0 + e % 32];
        __syncthreads();
        for (int k = 0; k < 32; k++) {
            float b = B[(k0 + k) * n + j];
            for (int r = 0; r < 8; r++)
                acc[r] += a[r][k] * b;
        }
        __syncthreads();
    }
    for (int r = 0; r < 8; r++)
        C[(i0 + r) * n + j] = acc[r];
}

extern "C" __global__ void dct_blocks(float *out, const float *in, int w)
{
    __shared__ float b[8][8], c[8][8];
    int x = threadIdx.x, y = threadIdx.y, at = (blockIdx.y * 8 + y) * w + blockIdx.x * 8 + x;
    b[y][x] = in[at];
    __syncthreads();
    float s = 0;
    for (int k = 0; k < 8; k++)
        s += b[y][k] * (0.3f + 0.1f * k);
    c[y][x] = s;
    __syncthreads();
    s = 0;
    for (int k = 0; k < 8; k++)
        s += c[k][x] * (0.3f + 0.1f * k);
    out[at] = s;
}

extern "C" __global__ void rgb_to_grey(float *grey, const float *rgb, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        grey[i] = 0.3f * rgb[3 * i] + 0.59f * rgb[3 * i + 1] + 0.11f * rgb[3 * i + 2];
}

extern "C" __global__ void leapfrog(float *u, const float *v, int nx, int ny)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    for (int j = blockIdx.y * 128 + threadIdx.y; j < blockIdx.y * 128 + 128; j += 4)
        if (j > 0 && j < ny - 1 && i < nx)
            u[j * nx + i] = 2.0f * v[j * nx + i] - u[j * nx + i] + 0.1f * (v[(j + 1) * nx + i] + v[(j - 1) * nx + i]);
}

extern "C" __global__ void polynomial(float *y, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = x[i], s = 1.0f;
    for (int k = 0; k < 200; k++)
        s = s * v + 0.5f;
    y[i] = s;
}

extern "C" __global__ void column_scan(float *m, int rows, int cols)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0;
    for (int r = 0; r < rows; r++) {
        s += m[r * cols + c];
        m[r * cols + c] = s;
    }
}

extern "C" __global__ void diffuse_shared(float *out, const float *in, int n)
{
    __shared__ float s[16][16];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y, tx = threadIdx.x, ty = threadIdx.y;
    s[ty][tx] = in[y * n + x];
    __syncthreads();
    if (x == 0 || y == 0 || x == n - 1 || y == n - 1)
        return;
    float l = tx > 0 ? s[ty][tx - 1] : in[y * n + x - 1], r = tx < 15 ? s[ty][tx + 1] : in[y * n + x + 1];
    float a = ty > 0 ? s[ty - 1][tx] : in[(y - 1) * n + x], b = ty < 15 ? s[ty + 1][tx] : in[(y + 1) * n + x];
    out[y * n + x] = 0.2f * (s[ty][tx] + l + r + a + b);
}
