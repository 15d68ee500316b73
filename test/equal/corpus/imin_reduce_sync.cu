// CHECK loops.c:imin_too --grid 1 --block 256 --where "n > 0"
__global__ void imin(int n, const int *x, int *out)
{
    __shared__ int part[8];
    int m = x[0];
    for (int i = threadIdx.x; i < n; i += 256) m = min(m, x[i]);
    m = __reduce_min_sync(0xffffffff, m);
    if ((threadIdx.x & 31) == 0) part[threadIdx.x / 32] = m;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < 8; w++) m = min(m, part[w]);
        out[0] = m;
    }
}
