// CHECK loops.c:rmsnorm --permit reassociate --grid n --block 256
__global__ void rmsnorm_kernel(const float *x, const float *w, float *y, int n, int m) {
    __shared__ float shared_sum[8];
    __shared__ float inv_rms;
    int tid = threadIdx.x, lane = tid & 31, warp_id = tid >> 5;
    float sum = 0.0f;
    for (int i = tid; i < m; i += blockDim.x) {
        float val = x[blockIdx.x * m + i];
        sum += val * val;
    }
    for (int offset = 16; offset > 0; offset >>= 1) sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (lane == 0) shared_sum[warp_id] = sum;
    __syncthreads();
    if (tid == 0) {
        float total = 0.0f;
        for (int i = 0; i < 8; i++) total += shared_sum[i];
        inv_rms = 1.0f / sqrtf(total / m + 1e-6f);
    }
    __syncthreads();
    for (int i = tid; i < m; i += blockDim.x) y[blockIdx.x * m + i] = x[blockIdx.x * m + i] * inv_rms * w[i];
}
