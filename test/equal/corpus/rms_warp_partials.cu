// CHECK loops.c:rms --permit reassociate --grid rows --block 256 --kernel rmsnorm
__global__ void rmsnorm(const float *x, const float *w, float *y, int rows, int cols, float eps) {
    __shared__ float partial[8];
    __shared__ float inv_rms;
    const float *row = x + blockIdx.x * cols;
    float ss = 0.0f;
    for (int i = threadIdx.x; i < cols; i += blockDim.x) {
        float v = row[i];
        ss += v * v;
    }
#pragma unroll
    for (int mask = 16; mask >= 1; mask >>= 1) ss += __shfl_xor_sync(0xffffffff, ss, mask, 32);
    if ((threadIdx.x & 31) == 0) partial[threadIdx.x >> 5] = ss;
    __syncthreads();
    if (threadIdx.x == 0) {
        float t = 0.0f;
        for (int i = 0; i < 8; i++) t += partial[i];
        inv_rms = 1.0f / sqrtf(t / cols + eps);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < cols; i += blockDim.x)
        y[blockIdx.x * cols + i] = row[i] * inv_rms * w[i];
}
