// CHECK loops.c:prefix_rows_before --grid n --block 128
__global__ void scan_bl(const int *x, int *y, int n) {
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = x[blockIdx.x * 128 + t];
    __syncthreads();
    for (int d = 1; d < 128; d *= 2) {
        int i = (t + 1) * 2 * d - 1;
        if (i < 128) s[i] += s[i - d];
        __syncthreads();
    }
    if (t == 0) s[127] = 0;
    __syncthreads();
    for (int d = 64; d > 0; d /= 2) {
        int i = (t + 1) * 2 * d - 1;
        if (i < 128) {
            int l = s[i - d];
            s[i - d] = s[i];
            s[i] += l;
        }
        __syncthreads();
    }
    y[blockIdx.x * 128 + t] = s[t];
}
