// CHECK loops.c:scan_blocks --grid n --block 128
__global__ void scan(const int *x, int *y) {
    __shared__ int temp[128];
    int tid = threadIdx.x;
    temp[tid] = x[blockIdx.x * 128 + tid];
    __syncthreads();
    for (int offset = 1; offset < 128; offset *= 2) {
        int v = 0;
        if (tid >= offset) v = temp[tid - offset];
        __syncthreads();
        temp[tid] += v;
        __syncthreads();
    }
    y[blockIdx.x * 128 + tid] = temp[tid];
}
