// CHECK loops.c:scan_blocks --grid n --block 128
__global__ void scan_shfl(const int *x, int *y) {
    __shared__ int sums[4];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    int v = x[blockIdx.x * 128 + t];
    for (int o = 1; o < 32; o <<= 1) {
        int u = __shfl_up_sync(0xffffffff, v, o);
        if (lane >= o) v += u;
    }
    if (lane == 31) sums[warp] = v;
    __syncthreads();
    int before = 0;
    for (int k = 0; k < warp; k++) before += sums[k];
    y[blockIdx.x * 128 + t] = v + before;
}
