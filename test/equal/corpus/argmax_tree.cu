// CHECK loops.c:argmax --where "m >= 1" --grid n --block 128
__global__ void argmax(int n, int m, const float *x, int *idx)
{
    __shared__ float v[128];
    __shared__ int at[128];
    int t = threadIdx.x;
    float best = -INFINITY;
    int where = 0;
    for (int j = t; j < m; j += 128) {
        float y = x[blockIdx.x * m + j];
        if (y > best) { best = y; where = j; }
    }
    v[t] = best;
    at[t] = where;
    __syncthreads();
    for (int o = 64; o > 0; o >>= 1) {
        if (t < o && (v[t + o] > v[t] || (v[t + o] == v[t] && at[t + o] < at[t]))) {
            v[t] = v[t + o];
            at[t] = at[t + o];
        }
        __syncthreads();
    }
    if (t == 0) idx[blockIdx.x] = at[0];
}
