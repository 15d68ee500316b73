// CHECK loops.c:histogram --grid "(n + 255) / 256" --block 256
__global__ void histogram(const int *x, int *bins, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&bins[x[i]], 1);
}
