// CHECK loops.c:argmax_last --where "m >= 1" --grid n --block 64
__global__ void argmax_last(int n, int m, const float *x, int *idx) {
    __shared__ float sv[64];
    __shared__ int si[64];
    int t = threadIdx.x;
    float best = -INFINITY; int at = -1;
    for (int j = t; j < m; j += 64)
        if (x[blockIdx.x * m + j] >= best) { best = x[blockIdx.x * m + j]; at = j; }
    sv[t] = best; si[t] = at;
    __syncthreads();
    for (int o = 32; o; o >>= 1) {
        if (t < o) {
            if (sv[t + o] > sv[t] || (sv[t + o] == sv[t] && si[t + o] > si[t])) {
                sv[t] = sv[t + o];
                si[t] = si[t + o];
            }
        }
        __syncthreads();
    }
    if (t == 0) idx[blockIdx.x] = si[0];
}
