// CHECK loops.c:prefix_rows --grid n --block 128
__device__ int warp_scan(int v, int lane) {
    for (int o = 1; o < 32; o <<= 1) {
        int u = __shfl_up_sync(0xffffffff, v, o);
        if (lane >= o) v += u;
    }
    return v;
}
__global__ void scan_w(const int *x, int *y, int n) {
    __shared__ int warps[32];
    int t = threadIdx.x, lane = t & 31, w = t >> 5;
    int i = blockIdx.x * blockDim.x + t;
    int v = warp_scan(x[i], lane);
    if (lane == 31) warps[w] = v;
    __syncthreads();
    if (w == 0) {
        int p = lane < blockDim.x / 32 ? warps[lane] : 0;
        warps[lane] = warp_scan(p, lane);
    }
    __syncthreads();
    if (w > 0) v += warps[w - 1];
    y[i] = v;
}
