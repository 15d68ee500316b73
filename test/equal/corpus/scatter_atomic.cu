// CHECK loops.c:scatter_add --permit reassociate --grid "(n + 255) / 256" --block 256
__global__ void scatter_add_kernel(const int *__restrict__ idx, const float *__restrict__ x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&y[idx[i]], x[i]);
}
