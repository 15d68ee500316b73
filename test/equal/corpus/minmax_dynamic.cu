// CHECK loops.c:minmax
extern __shared__ float smem[];
__global__ void minmax_kernel(const float *x, float *lo, float *hi, int m) {
    float *smin = smem, *smax = smem + blockDim.x;
    int t = threadIdx.x;
    float a = INFINITY, b = -INFINITY;
    for (int j = t; j < m; j += blockDim.x) {
        float v = x[blockIdx.x * m + j];
        a = fminf(a, v);
        b = fmaxf(b, v);
    }
    smin[t] = a;
    smax[t] = b;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (t < s) {
            smin[t] = fminf(smin[t], smin[t + s]);
            smax[t] = fmaxf(smax[t], smax[t + s]);
        }
        __syncthreads();
    }
    if (t == 0) {
        lo[blockIdx.x] = smin[0];
        hi[blockIdx.x] = smax[0];
    }
}
void minmax(int n, int m, const float *x, float *lo, float *hi) {
    int threads = 128;
    minmax_kernel<<<n, threads, 2 * threads * sizeof(float)>>>(x, lo, hi, m);
}
