// CHECK loops.c:max_abs --grid n --block 128 --bind scale=s
__device__ inline float warp_max(float v) {
#pragma unroll
    for (int mask = 16; mask > 0; mask /= 2) v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, mask));
    return v;
}
__global__ void absmax(const float *__restrict__ x, float *__restrict__ scale, int m) {
    __shared__ float shared[4];
    const int tid = threadIdx.x;
    float v = 0.f;
    for (int j = tid; j < m; j += 128) v = fmaxf(v, fabsf(x[(size_t)blockIdx.x * m + j]));
    v = warp_max(v);
    if ((tid & 31) == 0) shared[tid >> 5] = v;
    __syncthreads();
    if (tid == 0) scale[blockIdx.x] = fmaxf(fmaxf(shared[0], shared[1]), fmaxf(shared[2], shared[3]));
}
