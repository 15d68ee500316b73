// CHECK loops.c:softmax --permit reassociate --grid n --block 128
__global__ void softmax_kernel(const float *input, float *output, int n, int m) {
    __shared__ float shared[128];
    int tid = threadIdx.x;
    const float *x = input + blockIdx.x * m;
    float *y = output + blockIdx.x * m;
    float maxval = -INFINITY;
    for (int i = tid; i < m; i += blockDim.x) maxval = fmaxf(maxval, x[i]);
    shared[tid] = maxval;
    __syncthreads();
    for (int stride = blockDim.x / 2; stride >= 1; stride /= 2) {
        if (tid < stride) shared[tid] = fmaxf(shared[tid], shared[tid + stride]);
        __syncthreads();
    }
    float offset = shared[0];
    __syncthreads();
    for (int i = tid; i < m; i += blockDim.x) y[i] = expf(x[i] - offset);
    float sumval = 0.0f;
    for (int i = tid; i < m; i += blockDim.x) sumval += y[i];
    shared[tid] = sumval;
    __syncthreads();
    for (int stride = blockDim.x / 2; stride >= 1; stride /= 2) {
        if (tid < stride) shared[tid] += shared[tid + stride];
        __syncthreads();
    }
    float sum = shared[0];
    for (int i = tid; i < m; i += blockDim.x) y[i] = y[i] / sum;
}
