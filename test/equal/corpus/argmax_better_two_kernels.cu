// CHECK loops.c:argmax_all --where "n >= 1" 
__device__ void better(float &v, int &i, float ov, int oi) {
    if (ov > v || (ov == v && oi < i)) { v = ov; i = oi; }
}
__global__ void part(int n, const float *x, float *pv, int *pi) {
    __shared__ float sv[8];
    __shared__ int si[8];
    float v = -INFINITY; int id = INT_MAX;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) better(v, id, x[i], i);
    for (int o = 16; o > 0; o >>= 1)
        better(v, id, __shfl_down_sync(~0u, v, o), __shfl_down_sync(~0u, id, o));
    if (threadIdx.x % 32 == 0) { sv[threadIdx.x / 32] = v; si[threadIdx.x / 32] = id; }
    __syncthreads();
    if (threadIdx.x < 32) {
        v = threadIdx.x < 8 ? sv[threadIdx.x] : -INFINITY;
        id = threadIdx.x < 8 ? si[threadIdx.x] : INT_MAX;
        for (int o = 4; o > 0; o >>= 1)
            better(v, id, __shfl_down_sync(~0u, v, o), __shfl_down_sync(~0u, id, o));
        if (threadIdx.x == 0) { pv[blockIdx.x] = v; pi[blockIdx.x] = id; }
    }
}
__global__ void last(int nb, const float *pv, const int *pi, float *best_out, int *at_out) {
    float v = -INFINITY; int id = INT_MAX;
    for (int b = threadIdx.x; b < nb; b += 32) better(v, id, pv[b], pi[b]);
    for (int o = 16; o > 0; o >>= 1)
        better(v, id, __shfl_down_sync(~0u, v, o), __shfl_down_sync(~0u, id, o));
    if (threadIdx.x == 0) { best_out[0] = v; at_out[0] = id; }
}
void argmax(int n, const float *x, float *best_out, int *at_out) {
    int nb = (n + 255) / 256;
    float *pv; int *pi;
    cudaMalloc(&pv, nb * sizeof(float));
    cudaMalloc(&pi, nb * sizeof(int));
    part<<<nb, 256>>>(n, x, pv, pi);
    last<<<1, 32>>>(nb, pv, pi, best_out, at_out);
}
