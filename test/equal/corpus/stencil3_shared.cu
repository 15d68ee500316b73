// CHECK loops.c:stencil3 --grid "(n + 125) / 126" --block 128
__global__ void stencil3_tile(const float *x, float *y, int n) {
    __shared__ float s[128];
    int t = threadIdx.x, i = blockIdx.x * 126 + t;
    if (i < n) s[t] = x[i];
    __syncthreads();
    if (t > 0 && t < 127 && i < n - 1) y[i] = 0.25f * s[t - 1] + 0.5f * s[t] + 0.25f * s[t + 1];
}
