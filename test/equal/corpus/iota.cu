// CHECK loops.c:iota --grid "(n + 255) / 256" --block 256
__global__ void iota(int *y, int start, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = start + i;
}
