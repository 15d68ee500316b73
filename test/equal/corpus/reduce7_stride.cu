// CHECK loops.c:sum_all --permit reassociate
template <int BLOCK>
__global__ void reduce7(const float *__restrict__ in, float *__restrict__ out, int n) {
    __shared__ float s[BLOCK / 32];
    float v = 0.f;
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK) v += in[i];
#pragma unroll
    for (int d = 16; d; d >>= 1) v += __shfl_down_sync(~0u, v, d);
    const int lane = threadIdx.x % 32, w = threadIdx.x / 32;
    if (!lane) s[w] = v;
    __syncthreads();
    if (w == 0) {
        v = lane < BLOCK / 32 ? s[lane] : 0.f;
        for (int d = BLOCK / 64; d; d >>= 1) v += __shfl_down_sync(~0u, v, d);
        if (!lane) out[blockIdx.x] = v;
    }
}
void sum_all(int n, const float *x, float *out) {
    float *part;
    cudaMalloc(&part, 128 * sizeof(float));
    reduce7<256><<<128, 256>>>(x, part, n);
    reduce7<128><<<1, 128>>>(part, out, 128);
    cudaFree(part);
}
