// CHECK loops.c:argmax_all --where "n >= 1" --grid 1 --block 256
__global__ void argmax_block(int n, const float *x, float *best_out, int *at_out) {
    __shared__ float sv[256];
    __shared__ int si[256];
    int t = threadIdx.x;
    float v = -INFINITY;
    int at = -1;
    for (int i = t; i < n; i += blockDim.x) {
        float c = x[i];
        if (c > v) { v = c; at = i; }
    }
    sv[t] = v;
    si[t] = at;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (t < s) {
            float ov = sv[t + s];
            int oi = si[t + s];
            if (ov > sv[t] || (ov == sv[t] && oi < si[t])) { sv[t] = ov; si[t] = oi; }
        }
        __syncthreads();
    }
    if (t == 0) { best_out[0] = sv[0]; at_out[0] = si[0]; }
}
