// CHECK loops.c:row_sum --permit reassociate --grid n --block 32
__global__ void row_sum(const float *x, float *y, int m) {
    float s = 0.0f;
    for (int j = threadIdx.x; j < m; j += 32) s += x[blockIdx.x * m + j];
    s += __shfl_xor_sync(0xffffffff, s, 16);
    s += __shfl_xor_sync(0xffffffff, s, 8);
    s += __shfl_xor_sync(0xffffffff, s, 4);
    s += __shfl_xor_sync(0xffffffff, s, 2);
    s += __shfl_xor_sync(0xffffffff, s, 1);
    if (threadIdx.x == 0) y[blockIdx.x] = s;
}
