// CHECK loops.c:prefix_rows --grid n --block 128
__global__ void scan_pp(const int *x, int *y, int n) {
    __shared__ int s[2][128];
    int t = threadIdx.x, in = 0;
    s[0][t] = x[blockIdx.x * 128 + t];
    __syncthreads();
    for (int o = 1; o < 128; o *= 2) {
        int out = 1 - in;
        s[out][t] = t >= o ? s[in][t] + s[in][t - o] : s[in][t];
        in = out;
        __syncthreads();
    }
    y[blockIdx.x * 128 + t] = s[in][t];
}
