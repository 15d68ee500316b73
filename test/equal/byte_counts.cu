// CHECK loops.c:byte_counts --grid 16 --block 256
// FAULTS 3
// Bytes that tell places are all that a byte can be.
__global__ void byte_counts(int n, const unsigned char *a, int *count) {
    __shared__ int here[256];
#ifdef FAULT_1
    if (threadIdx.x < 128) here[threadIdx.x] = 0;
#else
    here[threadIdx.x] = 0;
#endif
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += 256 * gridDim.x) atomicAdd(&here[a[i]], 1);
#ifndef FAULT_2
    __syncthreads();
#endif
#ifdef FAULT_3
    if (threadIdx.x < 255)
#endif
    atomicAdd(&count[threadIdx.x], here[threadIdx.x]);
}
