// CHECK loops.c:hist_ints --grid "min((n + 255) / 256, 240)" --block 256
__global__ void hist256(const unsigned char *data, int n, int *bins) {
    __shared__ int h[256];
    h[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) atomicAdd(&h[data[i]], 1);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], h[threadIdx.x]);
}
