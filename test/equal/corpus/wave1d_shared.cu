// CHECK loops.c:wave1d --grid "(n + 125) / 126" --block 128
__global__ void wave_step(const float *u, const float *v, float *w, float c, int n) {
    __shared__ float s[128];
    int i = blockIdx.x * (blockDim.x - 2) + threadIdx.x;
    int t = threadIdx.x;
    if (i < n) s[t] = u[i];
    __syncthreads();
    if (t >= 1 && t < blockDim.x - 1 && i < n - 1)
        w[i] = 2.0f * s[t] - v[i] + c * (s[t - 1] - 2.0f * s[t] + s[t + 1]);
}
