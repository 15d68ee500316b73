// CHECK loops.c:accumulate --permit reassociate --grid 40 --block 256
__global__ void deviceReduceWarpAtomic(const float *in, float *out, int N) {
    float sum = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += blockDim.x * gridDim.x) sum += in[i];
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
    if ((threadIdx.x & 31) == 0) atomicAdd(out, sum);
}
