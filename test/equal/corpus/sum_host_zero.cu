// CHECK loops.c:sum_host_zero --permit reassociate
template <unsigned BS>
__global__ void reduce(const float *__restrict__ in, float *out, unsigned n) {
    extern __shared__ float sdata[];
    unsigned tid = threadIdx.x, i = blockIdx.x * (BS * 2) + tid;
    float v = (i < n ? in[i] : 0.f);
    if (i + BS < n) v += in[i + BS];
    sdata[tid] = v;
    __syncthreads();
#pragma unroll
    for (unsigned s = BS / 2; s > 32; s >>= 1) {
        if (tid < s) sdata[tid] = v = v + sdata[tid + s];
        __syncthreads();
    }
    if (tid < 32) {
        v += sdata[tid + 32];
        for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(0xffffffff, v, o);
    }
    if (tid == 0) atomicAdd(out, v);
}
void sum(int n, const float *x, float *y) {
    cudaMemset(y, 0, sizeof(float));
    int blocks = (n + 511) / 512;
    reduce<256><<<blocks, 256, 256 * sizeof(float)>>>(x, y, n);
}
