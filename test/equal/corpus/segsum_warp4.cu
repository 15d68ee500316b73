// CHECK loops.c:seg_sum --permit reassociate --grid "(nseg+3)/4" --block 32,4 --kernel segsum
__global__ void segsum(int nseg, const int *start, const float *x, float *y) {
    int s = blockIdx.x * blockDim.y + threadIdx.y;
    if (s < nseg) {
        float a = 0.f;
        for (int i = start[s] + threadIdx.x; i < start[s + 1]; i += 32)
            a += x[i];
        for (int d = 16; d > 0; d >>= 1)
            a += __shfl_down_sync(0xffffffff, a, d);
        if (threadIdx.x == 0) y[s] = a;
    }
}
