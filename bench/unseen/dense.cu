// Kernels as people write them: dense linear algebra and images. The model was made without them; what they showed then went into it.
// Arguments stand in the order of the parameters; a pointer's is the number of its elements.
// RUN --kernel transpose_naive --grid 64,64 --block 32,32 --arg out=4194304 --arg in=4194304 --arg w=2048 --arg h=2048
// RUN --kernel transpose_tiled --grid 64,64 --block 32,8 --arg out=4194304 --arg in=4194304 --arg w=2048 --arg h=2048
// RUN --kernel transpose_padded --grid 64,64 --block 32,8 --arg out=4194304 --arg in=4194304 --arg w=2048 --arg h=2048
// RUN --kernel matvec_rows --grid 16 --block 128 --arg y=2048 --arg A=8388608 --arg x=4096 --arg rows=2048 --arg cols=4096
// RUN --kernel matvec_columns --grid 16 --block 128 --arg y=2048 --arg A=8388608 --arg x=4096 --arg rows=2048 --arg cols=4096
// RUN --kernel gemm_naive_xy --grid 64,64 --block 16,16 --arg C=1048576 --arg A=1048576 --arg B=1048576 --arg n=1024
// RUN --kernel gemm_naive_yx --grid 64,64 --block 16,16 --arg C=1048576 --arg A=1048576 --arg B=1048576 --arg n=1024
// RUN --kernel gemm_shared --grid 64,64 --block 16,16 --arg C=1048576 --arg A=1048576 --arg B=1048576 --arg n=1024
// RUN --kernel gemm_registers --grid 16,16 --block 16,16 --arg C=1048576 --arg A=1048576 --arg B=1048576 --arg n=1024
// RUN --kernel rank_update --grid 64,64 --block 16,16 --arg a=1048576 --arg u=1024 --arg v=1024 --arg n=1024
// RUN --kernel blur_rows --grid 128,256 --block 16,8 --arg out=4194304 --arg in=4194304 --arg w=2048 --arg h=2048
// RUN --kernel convolve_shared --grid 128,128 --block 16,16 --arg out=4194304 --arg in=4194304 --arg weights=25 --arg w=2048 --arg h=2048
// RUN --kernel covariance --grid 32,32 --block 16,16 --arg cov=262144 --arg data=1048576 --arg m=512 --arg n=2048
// RUN --kernel lu_step --grid 31,31 --block 16,16 --arg a=262144 --arg n=512 --arg k=16
#define TILE 16

extern "C" __global__ void transpose_naive(float *out, const float *in, int w, int h)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (col < w && row < h)
        out[col * h + row] = in[row * w + col];
}

extern "C" __global__ void transpose_tiled(float *out, const float *in, int w, int h)
{
    __shared__ float t[32][32];
    int x = blockIdx.x * 32 + threadIdx.x;
    int y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        t[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        out[(y + j) * h + x] = t[threadIdx.x][threadIdx.y + j];
}

extern "C" __global__ void transpose_padded(float *out, const float *in, int w, int h)
{
    __shared__ float t[32][33];
    int x = blockIdx.x * 32 + threadIdx.x;
    int y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        t[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        out[(y + j) * h + x] = t[threadIdx.x][threadIdx.y + j];
}

extern "C" __global__ void matvec_rows(float *y, const float *A, const float *x, int rows, int cols)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows)
        return;
    float s = 0.0f;
    for (int c = 0; c < cols; c++)
        s += A[r * cols + c] * x[c];
    y[r] = s;
}

extern "C" __global__ void matvec_columns(float *y, const float *A, const float *x, int rows, int cols)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows)
        return;
    float s = 0.0f;
    for (int c = 0; c < cols; c++)
        s += A[c * rows + r] * x[c];
    y[r] = s;
}

extern "C" __global__ void gemm_naive_xy(float *C, const float *A, const float *B, int n)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    float acc = 0;
    for (int k = 0; k < n; ++k)
        acc += A[i * n + k] * B[k * n + j];
    C[i * n + j] = acc;
}

extern "C" __global__ void gemm_naive_yx(float *C, const float *A, const float *B, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    float acc = 0;
    for (int k = 0; k < n; ++k)
        acc += A[i * n + k] * B[k * n + j];
    C[i * n + j] = acc;
}

extern "C" __global__ void gemm_shared(float *C, const float *A, const float *B, int n)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float acc = 0;
    for (int t = 0; t < n / TILE; t++) {
        As[ty][tx] = A[row * n + t * TILE + tx];
        Bs[ty][tx] = B[(t * TILE + ty) * n + col];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            acc += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    C[row * n + col] = acc;
}

// 64 x 64 a block, 4 x 4 a thread.
extern "C" __global__ void gemm_registers(float *C, const float *A, const float *B, int n)
{
    __shared__ float As[16][64 + 1], Bs[16][64];
    int tx = threadIdx.x, ty = threadIdx.y, tid = ty * 16 + tx;
    int row0 = blockIdx.y * 64, col0 = blockIdx.x * 64;
    float acc[4][4];
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 4; j++)
            acc[i][j] = 0.0f;
    for (int k0 = 0; k0 < n; k0 += 16) {
#pragma unroll
        for (int q = 0; q < 4; q++) {
            int e = tid + q * 256;
            As[e % 16][e / 16] = A[(row0 + e / 16) * n + k0 + e % 16];
            Bs[e / 64][e % 64] = B[(k0 + e / 64) * n + col0 + e % 64];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; k++) {
            float a[4], b[4];
#pragma unroll
            for (int i = 0; i < 4; i++)
                a[i] = As[k][ty + 16 * i];
#pragma unroll
            for (int j = 0; j < 4; j++)
                b[j] = Bs[k][tx + 16 * j];
#pragma unroll
            for (int i = 0; i < 4; i++)
#pragma unroll
                for (int j = 0; j < 4; j++)
                    acc[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 4; j++)
            C[(row0 + ty + 16 * i) * n + col0 + tx + 16 * j] = acc[i][j];
}

extern "C" __global__ void rank_update(double *a, const double *u, const double *v, int n)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    a[i * n + j] = a[i * n + j] + u[i] * v[j];
}

extern "C" __global__ void blur_rows(float *out, const float *in, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 2 || x >= w - 2 || y >= h)
        return;
    const float *p = in + y * w + x;
    out[y * w + x] = 0.0625f * p[-2] + 0.25f * p[-1] + 0.375f * p[0] + 0.25f * p[1] + 0.0625f * p[2];
}

extern "C" __global__ void convolve_shared(float *out, const float *in, const float *weights, int w, int h)
{
    __shared__ float s[20][20];
    int x0 = blockIdx.x * 16 - 2, y0 = blockIdx.y * 16 - 2;
    for (int i = threadIdx.y * 16 + threadIdx.x; i < 400; i += 256) {
        int x = x0 + i % 20, y = y0 + i / 20;
        s[i / 20][i % 20] = x >= 0 && x < w && y >= 0 && y < h ? in[y * w + x] : 0.0f;
    }
    __syncthreads();
    float sum = 0;
    for (int dy = 0; dy < 5; dy++)
        for (int dx = 0; dx < 5; dx++)
            sum += weights[dy * 5 + dx] * s[threadIdx.y + dy][threadIdx.x + dx];
    out[(blockIdx.y * 16 + threadIdx.y) * w + blockIdx.x * 16 + threadIdx.x] = sum;
}

extern "C" __global__ void covariance(float *cov, const float *data, int m, int n)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < m && j < m && j >= i) {
        float s = 0.f;
        for (int k = 0; k < n; k++)
            s += data[k * m + i] * data[k * m + j];
        cov[i * m + j] = s;
        cov[j * m + i] = s;
    }
}

extern "C" __global__ void lu_step(float *a, int n, int k)
{
    int j = k + 1 + blockIdx.x * 16 + threadIdx.x, i = k + 1 + blockIdx.y * 16 + threadIdx.y;
    if (i < n && j < n)
        a[i * n + j] -= a[i * n + k] * a[k * n + j];
}
