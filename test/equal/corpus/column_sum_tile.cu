// CHECK loops.c:column_sum --permit reassociate --grid "(m + 31) / 32" --block 32,32
__global__ void column_sum_tile(const float *x, float *y, int n, int m) {
    __shared__ float tile[32][33];
    int j = blockIdx.x * 32 + threadIdx.x;
    float s = 0.0f;
    for (int i = threadIdx.y; i < n; i += 32)
        if (j < m) s += x[i * m + j];
    tile[threadIdx.y][threadIdx.x] = s;
    __syncthreads();
    for (int k = 16; k > 0; k >>= 1) {
        if (threadIdx.y < k) tile[threadIdx.y][threadIdx.x] += tile[threadIdx.y + k][threadIdx.x];
        __syncthreads();
    }
    if (threadIdx.y == 0 && j < m) y[j] = tile[0][threadIdx.x];
}
