// CHECK loops.c:sum --permit reassociate
__global__ void partial(const float *x, float *part, int n) {
    extern __shared__ float sm[];
    unsigned t = threadIdx.x;
    float s = 0.0f;
    for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += blockDim.x * gridDim.x) s += x[i];
    sm[t] = s;
    __syncthreads();
    for (unsigned w = blockDim.x / 2; w > 0; w >>= 1) {
        if (t < w) sm[t] += sm[t + w];
        __syncthreads();
    }
    if (t == 0) part[blockIdx.x] = sm[0];
}
void sum(int n, const float *in, float *out) {
    float *part;
    cudaMalloc(&part, 64 * sizeof(float));
    partial<<<64, 128, 128 * sizeof(float)>>>(in, part, n);
    partial<<<1, 64, 64 * sizeof(float)>>>(part, out, 64);
    cudaFree(part);
}
