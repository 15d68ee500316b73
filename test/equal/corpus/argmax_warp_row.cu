// CHECK loops.c:argmax_begun --grid n --block 32
__global__ void argmax_warp(int n, int m, const float *x, int *idx) {
    int row = blockIdx.x, lane = threadIdx.x;
    float best = -INFINITY;
    int at = -1;
    for (int j = lane; j < m; j += 32) {
        float v = x[row * m + j];
        if (v > best) { best = v; at = j; }
    }
    for (int o = 16; o > 0; o >>= 1) {
        float ov = __shfl_down_sync(0xffffffff, best, o);
        int oi = __shfl_down_sync(0xffffffff, at, o);
        if (ov > best || (ov == best && oi < at)) { best = ov; at = oi; }
    }
    if (lane == 0) idx[row] = at;
}
