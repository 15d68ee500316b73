// CHECK loops.c:prefix_any_rows_before --where "m >= 1 && m <= 1024" --grid n --block 1024
__global__ void excl(const int *x, int *y, int n, int m) {
    __shared__ int warp_sums[32];
    int t = threadIdx.x, lane = t % 32, wid = t / 32;
    int orig = t < m ? x[blockIdx.x * m + t] : 0;
    int v = orig;
    for (int o = 1; o < 32; o *= 2) {
        int u = __shfl_up_sync(0xffffffff, v, o);
        if (lane >= o) v += u;
    }
    if (lane == 31) warp_sums[wid] = v;
    __syncthreads();
    if (wid == 0) {
        int s = warp_sums[lane];
        for (int o = 1; o < 32; o *= 2) {
            int u = __shfl_up_sync(0xffffffff, s, o);
            if (lane >= o) s += u;
        }
        warp_sums[lane] = s;
    }
    __syncthreads();
    if (wid > 0) v += warp_sums[wid - 1];
    if (t < m) y[blockIdx.x * m + t] = v - orig;
}
