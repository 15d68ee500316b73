// CHECK loops.c:sum --permit reassociate
template <int BLOCK>
__global__ void reduce6(const float *in, float *out, unsigned int n) {
    __shared__ float s[BLOCK];
    unsigned int tid = threadIdx.x;
    float acc = 0;
    for (unsigned int i = blockIdx.x * BLOCK + tid; i < n; i += BLOCK * gridDim.x) acc += in[i];
    s[tid] = acc;
    __syncthreads();
    for (unsigned int k = BLOCK / 2; k > 0; k >>= 1) {
        if (tid < k) s[tid] += s[tid + k];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = s[0];
}
void sum(int n, const float *in, float *out) {
    float *part;
    cudaMalloc(&part, 64 * sizeof(float));
    reduce6<128><<<64, 128>>>(in, part, n);
    reduce6<64><<<1, 64>>>(part, out, 64);
    cudaFree(part);
}
