// CHECK loops.c:inter_forces --permit reassociate --grid n --block 32
__global__ void upper_sums(const float *__restrict__ a, float *__restrict__ y, int n) {
    int i = blockIdx.x;
    float s = 0.0f;
    for (int j = i + 1 + threadIdx.x; j < n; j += warpSize) s += a[i * n + j];
    for (int o = warpSize / 2; o > 0; o >>= 1) s += __shfl_down_sync(0xffffffff, s, o);
    if (threadIdx.x == 0) y[i] = s;
}
