// CHECK loops.c:matmul --where "n % 16 == 0" --grid "n / 16, n / 16" --block 16,16
__global__ void matmul_db(const float *A, const float *B, float *C, int n) {
    __shared__ float As[2][16][16], Bs[2][16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
    float acc = 0.0f;
    int buf = 0;
    As[0][ty][tx] = A[row * n + tx];
    Bs[0][ty][tx] = B[ty * n + col];
    __syncthreads();
    for (int t = 1; t < n / 16; t++) {
        As[buf ^ 1][ty][tx] = A[row * n + t * 16 + tx];
        Bs[buf ^ 1][ty][tx] = B[(t * 16 + ty) * n + col];
        for (int k = 0; k < 16; k++) acc += As[buf][ty][k] * Bs[buf][k][tx];
        __syncthreads();
        buf ^= 1;
    }
    for (int k = 0; k < 16; k++) acc += As[buf][ty][k] * Bs[buf][k][tx];
    C[row * n + col] = acc;
}
