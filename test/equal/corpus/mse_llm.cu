// CHECK loops.c:mse --permit reassociate --grid 1 --block 256
__global__ void mse_kernel(const float *p, const float *t, float *out, int n) {
    __shared__ float sdata[256];
    int tid = threadIdx.x;
    float sum = 0.0f;
    for (int i = tid; i < n; i += blockDim.x) {
        float diff = p[i] - t[i];
        sum += diff * diff;
    }
    sdata[tid] = sum;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) {
            sdata[tid] += sdata[tid + s];
        }
        __syncthreads();
    }
    if (tid == 0) {
        out[0] = sdata[0] / n;
    }
}
