// CHECK loops.c:count_above --grid "(n + 255) / 256" --block 256
__global__ void count_kernel(const float *x, int *out, float t, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned mask = __ballot_sync(0xffffffff, i < n && x[i] > t);
    if ((threadIdx.x & 31) == 0) atomicAdd(out, __popc(mask));
}
