// CHECK loops.c:argmax_begun --grid n --block 256
__global__ void argmax_tern(int n, int m, const float *x, int *idx) {
    __shared__ float sv[256];
    __shared__ int si[256];
    int t = threadIdx.x;
    float v = -INFINITY;
    int at = -1;
    for (int j = t; j < m; j += 256) {
        float c = x[blockIdx.x * m + j];
        bool take = c > v;
        v = take ? c : v;
        at = take ? j : at;
    }
    sv[t] = v; si[t] = at;
    __syncthreads();
    for (int s = 128; s > 0; s >>= 1) {
        if (t < s) {
            float ov = sv[t + s]; int oi = si[t + s];
            bool take = ov > sv[t] || (ov == sv[t] && oi < si[t]);
            sv[t] = take ? ov : sv[t];
            si[t] = take ? oi : si[t];
        }
        __syncthreads();
    }
    if (t == 0) idx[blockIdx.x] = si[0];
}
