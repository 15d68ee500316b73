// CHECK loops.c:dot_too --permit reassociate
template <unsigned B>
__global__ void dot_kernel(const float *a, const float *b, float *out, int n)
{
    __shared__ float s[B];
    unsigned t = threadIdx.x;
    float v = 0;
    for (unsigned i = blockIdx.x * B + t; i < n; i += B * gridDim.x) v += a[i] * b[i];
    s[t] = v;
    __syncthreads();
    if (B >= 256) { if (t < 128) s[t] += s[t + 128]; __syncthreads(); }
    if (B >= 128) { if (t < 64) s[t] += s[t + 64]; __syncthreads(); }
    if (t < 32) {
        v = s[t] + s[t + 32];
        for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(~0u, v, o);
        if (t == 0) atomicAdd(out, v);
    }
}
void dot_too(int n, const float *a, const float *b, float *out)
{
    cudaMemset(out, 0, sizeof(float));
    dot_kernel<256><<<(n + 255) / 256, 256>>>(a, b, out, n);
}
