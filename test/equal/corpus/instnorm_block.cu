// CHECK loops.c:instnorm --permit reassociate --grid "N * C" --block 256
__global__ void instance_norm_kernel(const float *__restrict__ input, float *__restrict__ output, int N, int C, int H, int W) {
    int instance = blockIdx.x;
    int size = H * W;
    const float *in = input + instance * size;
    float *out = output + instance * size;
    __shared__ float s_sum[256];
    __shared__ float s_mean, s_rstd;
    float local = 0.0f;
    for (int i = threadIdx.x; i < size; i += blockDim.x) local += in[i];
    s_sum[threadIdx.x] = local;
    __syncthreads();
    for (int stride = blockDim.x / 2; stride > 0; stride >>= 1) {
        if (threadIdx.x < stride) s_sum[threadIdx.x] += s_sum[threadIdx.x + stride];
        __syncthreads();
    }
    if (threadIdx.x == 0) s_mean = s_sum[0] / size;
    __syncthreads();
    float mean = s_mean;
    local = 0.0f;
    for (int i = threadIdx.x; i < size; i += blockDim.x) {
        float d = in[i] - mean;
        local += d * d;
    }
    s_sum[threadIdx.x] = local;
    __syncthreads();
    for (int stride = blockDim.x / 2; stride > 0; stride >>= 1) {
        if (threadIdx.x < stride) s_sum[threadIdx.x] += s_sum[threadIdx.x + stride];
        __syncthreads();
    }
    if (threadIdx.x == 0) s_rstd = 1.0f / sqrtf(s_sum[0] / size + 1e-5f);
    __syncthreads();
    for (int i = threadIdx.x; i < size; i += blockDim.x) out[i] = (in[i] - mean) * s_rstd;
}
