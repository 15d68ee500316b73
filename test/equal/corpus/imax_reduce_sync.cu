// CHECK loops.c:row_imax --grid n --block 64 --where "m > 0"
__global__ void row_imax(int n, int m, const unsigned *x, unsigned *y)
{
    __shared__ unsigned best[2];
    unsigned v = 0;
    for (int j = threadIdx.x; j < m; j += 64) v = max(v, x[blockIdx.x * m + j]);
    v = __reduce_max_sync(~0u, v);
    if (threadIdx.x % 32 == 0) best[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x == 0) y[blockIdx.x] = max(best[0], best[1]);
}
