// CHECK loops.c:prefix_256 --grid 1 --block 256
__global__ void scan(const int *in, int *out) {
    __shared__ int temp[2][256];
    int t = threadIdx.x;
    int pout = 0, pin = 1;
    temp[pout][t] = in[t];
    __syncthreads();
    for (int offset = 1; offset < 256; offset *= 2) {
        pout = 1 - pout;
        pin = 1 - pout;
        if (t >= offset) temp[pout][t] = temp[pin][t] + temp[pin][t - offset];
        else temp[pout][t] = temp[pin][t];
        __syncthreads();
    }
    out[t] = temp[pout][t];
}
