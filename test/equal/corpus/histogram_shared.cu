// CHECK loops.c:hist_block256 --grid 32 --block 256
__global__ void histogram256(const int *x, int *h, int n) {
    __shared__ int local[256];
    local[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) atomicAdd(&local[x[i] & 255], 1);
    __syncthreads();
    atomicAdd(&h[threadIdx.x], local[threadIdx.x]);
}
