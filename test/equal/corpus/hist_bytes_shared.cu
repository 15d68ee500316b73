// CHECK loops.c:hist_bytes
#define BINS 256
__global__ void histogram256(const unsigned char *data, unsigned int *histo, int n) {
    __shared__ unsigned int temp[BINS];
    temp[threadIdx.x] = 0;
    __syncthreads();
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    int offset = blockDim.x * gridDim.x;
    while (i < n) {
        atomicAdd(&temp[data[i]], 1);
        i += offset;
    }
    __syncthreads();
    atomicAdd(&(histo[threadIdx.x]), temp[threadIdx.x]);
}
void hist_bytes(int n, const unsigned char *x, unsigned *h) {
    histogram256<<<64, 256>>>(x, h, n);
}
