// CHECK loops.c:softmax_grad --permit reassociate --grid n --block 128
__global__ void softmax_backward(const float *y, const float *dy, float *dx, int m) {
    __shared__ float red[128];
    const float *yr = y + blockIdx.x * m, *dyr = dy + blockIdx.x * m;
    float s = 0;
    for (int j = threadIdx.x; j < m; j += blockDim.x) s += yr[j] * dyr[j];
    red[threadIdx.x] = s;
    __syncthreads();
    for (int k = blockDim.x >> 1; k > 0; k >>= 1) {
        if (threadIdx.x < k) red[threadIdx.x] += red[threadIdx.x + k];
        __syncthreads();
    }
    float dot = red[0];
    for (int j = threadIdx.x; j < m; j += blockDim.x) dx[blockIdx.x * m + j] = yr[j] * (dyr[j] - dot);
}
