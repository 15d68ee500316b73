// CHECK loops.c:histogram256 --grid 64 --block 256
__global__ void hist(const unsigned char *x, unsigned *h, int n) {
    __shared__ unsigned priv[256];
    priv[threadIdx.x] = 0u;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) atomicAdd(&priv[x[i]], 1u);
    __syncthreads();
    if (priv[threadIdx.x] > 0) atomicAdd(&h[threadIdx.x], priv[threadIdx.x]);
}
