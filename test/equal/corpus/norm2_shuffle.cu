// CHECK loops.c:norm2 --permit reassociate --grid 1 --block 128
__global__ void norm2(const float *x, float *out, int n) {
    __shared__ float w[4];
    float s = 0.0f;
    for (int i = threadIdx.x; i < n; i += 128) s += x[i] * x[i];
    for (int o = 16; o > 0; o >>= 1) s += __shfl_xor_sync(~0u, s, o);
    if (threadIdx.x % 32 == 0) w[threadIdx.x / 32] = s;
    __syncthreads();
    if (threadIdx.x == 0) out[0] = sqrtf(w[0] + w[1] + w[2] + w[3]);
}
