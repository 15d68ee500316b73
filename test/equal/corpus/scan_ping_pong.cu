// CHECK loops.c:exclusive_blocks --grid n --block 128
__global__ void scan_pp(const int *g_idata, int *g_odata) {
    __shared__ int temp[256];
    int thid = threadIdx.x;
    int pout = 0, pin = 1, n = 128;
    temp[pout * n + thid] = (thid > 0) ? g_idata[blockIdx.x * 128 + thid - 1] : 0;
    __syncthreads();
    for (int offset = 1; offset < n; offset *= 2) {
        pout = 1 - pout;
        pin = 1 - pout;
        if (thid >= offset) temp[pout * n + thid] = temp[pin * n + thid] + temp[pin * n + thid - offset];
        else temp[pout * n + thid] = temp[pin * n + thid];
        __syncthreads();
    }
    g_odata[blockIdx.x * 128 + thid] = temp[pout * n + thid];
}
