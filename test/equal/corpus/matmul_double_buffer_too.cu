// CHECK loops.c:matmul_too --grid "(n + 15) / 16, (n + 15) / 16" --block 16,16
__global__ void matmul(int n, const float *A, const float *B, float *C)
{
    __shared__ float a[2][16][16], b[2][16][16];
    int tx = threadIdx.x, ty = threadIdx.y, i = blockIdx.y * 16 + ty, j = blockIdx.x * 16 + tx;
    int tiles = (n + 15) / 16, cur = 0;
    a[0][ty][tx] = i < n && tx < n ? A[i * n + tx] : 0.f;
    b[0][ty][tx] = j < n && ty < n ? B[ty * n + j] : 0.f;
    __syncthreads();
    float s = 0;
    for (int t = 0; t < tiles; t++) {
        if (t + 1 < tiles) {
            int k = (t + 1) * 16;
            a[cur ^ 1][ty][tx] = i < n && k + tx < n ? A[i * n + k + tx] : 0.f;
            b[cur ^ 1][ty][tx] = j < n && k + ty < n ? B[(k + ty) * n + j] : 0.f;
        }
        for (int k = 0; k < 16; k++) s += a[cur][ty][k] * b[cur][k][tx];
        __syncthreads();
        cur ^= 1;
    }
    if (i < n && j < n) C[i * n + j] = s;
}
