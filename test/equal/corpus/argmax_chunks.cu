// CHECK loops.c:argmax_vi --where "m >= 1 && m <= 1024" --grid n --block 128
// contiguous chunks: a strict comparison is right while lower threads hold lower places
__global__ void argmax_chunks(int n, int m, const float *x, float *val, int *idx) {
    __shared__ float sv[128];
    __shared__ int si[128];
    int t = threadIdx.x;
    float best = -INFINITY; int at = 0;
    for (int j = t * 8; j < t * 8 + 8 && j < m; j++)
        if (x[blockIdx.x * m + j] > best) { best = x[blockIdx.x * m + j]; at = j; }
    sv[t] = best; si[t] = at;
    __syncthreads();
    for (int s = 1; s < 128; s *= 2) {
        if (t % (2 * s) == 0) {
            if (sv[t + s] > sv[t]) { sv[t] = sv[t + s]; si[t] = si[t + s]; }
        }
        __syncthreads();
    }
    if (t == 0) { val[blockIdx.x] = sv[0]; idx[blockIdx.x] = si[0]; }
}
