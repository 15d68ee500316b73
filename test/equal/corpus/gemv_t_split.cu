// CHECK loops.c:gemv_t --grid "(n + 31) / 32" --block 32,8 --permit reassociate
__global__ void gemv_t(int m, int n, const float *A, const float *x, float *y)
{
    __shared__ float part[8][33];
    int j = blockIdx.x * 32 + threadIdx.x;
    float s = 0;
    if (j < n)
        for (int i = threadIdx.y; i < m; i += 8) s += A[i * n + j] * x[i];
    part[threadIdx.y][threadIdx.x] = s;
    __syncthreads();
    for (int o = 4; o > 0; o >>= 1) {
        if (threadIdx.y < o) part[threadIdx.y][threadIdx.x] += part[threadIdx.y + o][threadIdx.x];
        __syncthreads();
    }
    if (threadIdx.y == 0 && j < n) y[j] = part[0][threadIdx.x];
}
