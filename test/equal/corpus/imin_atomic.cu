// CHECK loops.c:imin --grid "(n + 255) / 256" --block 256
__global__ void imin(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicMin(out, in[i]);
}
