// CHECK loops.c:row_sum --permit reassociate --grid n --block 256 --kernel row_sum_kernel
template <typename T>
__inline__ __device__ T warpReduceSum(T val) {
#pragma unroll
    for (int mask = 16; mask > 0; mask >>= 1) val += __shfl_xor_sync(0xffffffff, val, mask, 32);
    return val;
}
template <typename T>
__inline__ __device__ T blockReduceSum(T val) {
    static __shared__ T shared[32];
    int lane = threadIdx.x & 0x1f;
    int wid = threadIdx.x >> 5;
    val = warpReduceSum<T>(val);
    if (lane == 0) shared[wid] = val;
    __syncthreads();
    val = (threadIdx.x < (blockDim.x / 32.f)) ? shared[lane] : (T)(0.0f);
    val = warpReduceSum<T>(val);
    return val;
}
__global__ void row_sum_kernel(const float *x, float *y, int n, int m) {
    const float *row = x + (size_t)blockIdx.x * m;
    float local = 0.0f;
    for (int j = threadIdx.x; j < m; j += blockDim.x) local += row[j];
    local = blockReduceSum<float>(local);
    if (threadIdx.x == 0) y[blockIdx.x] = local;
}
