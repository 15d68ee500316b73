// CHECK loops.c:conv5 --grid "(m + 15) / 16, (n + 15) / 16" --block 16,16 --bind kern=k
#define R 2
#define K (2 * R + 1)
__constant__ float kern[K * K];
__global__ void conv5(const float *x, float *y, int n, int m)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r >= n || c >= m) return;
    float acc = 0.0f;
#pragma unroll
    for (int p = -R; p <= R; ++p)
#pragma unroll
        for (int q = -R; q <= R; ++q) {
            int yy = r + p, xx = c + q;
            if (yy < 0 || yy >= n || xx < 0 || xx >= m) continue;
            acc += kern[(p + R) * K + (q + R)] * x[yy * m + xx];
        }
    y[r * m + c] = acc;
}
