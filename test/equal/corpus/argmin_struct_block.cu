// CHECK loops.c:argmin_first --where "m >= 1" --grid n --block 128
struct Pair { float v; int i; };
__device__ __forceinline__ Pair lesser(Pair a, Pair b) {
    if (b.v < a.v || (b.v == a.v && b.i < a.i)) return b;
    return a;
}
__device__ Pair warp_least(Pair p) {
#pragma unroll
    for (int o = 16; o > 0; o >>= 1) {
        Pair q;
        q.v = __shfl_down_sync(0xffffffffu, p.v, o);
        q.i = __shfl_down_sync(0xffffffffu, p.i, o);
        p = lesser(p, q);
    }
    return p;
}
__global__ void argmin_block(const float *x, int *idx, int n, int m) {
    __shared__ Pair warps[4];
    const float *row = x + (size_t)blockIdx.x * m;
    Pair p = {INFINITY, m};
    for (int j = threadIdx.x; j < m; j += blockDim.x) {
        Pair q = {row[j], j};
        p = lesser(p, q);
    }
    p = warp_least(p);
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    if (lane == 0) warps[warp] = p;
    __syncthreads();
    if (warp == 0) {
        p = lane < 4 ? warps[lane] : Pair{INFINITY, m};
        p = warp_least(p);
        if (lane == 0) idx[blockIdx.x] = p.i;
    }
}
