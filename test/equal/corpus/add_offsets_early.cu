// CHECK loops.c:add_offsets --grid nb --block 256
__global__ void uniformAdd(float *y, const float *off) {
    if (blockIdx.x == 0) return;
    __shared__ float uni;
    if (threadIdx.x == 0) uni = off[blockIdx.x - 1];
    __syncthreads();
    y[blockIdx.x * blockDim.x + threadIdx.x] += uni;
}
