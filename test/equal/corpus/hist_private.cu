// CHECK loops.c:hist --grid 64 --block 256
__global__ void hist(int n, const unsigned char *x, int *h)
{
    __shared__ int local[256];
    local[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += 256 * 64) atomicAdd(&local[x[i]], 1);
    __syncthreads();
    atomicAdd(&h[threadIdx.x], local[threadIdx.x]);
}
