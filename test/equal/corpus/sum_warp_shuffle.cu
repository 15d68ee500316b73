// CHECK loops.c:sum --permit reassociate --grid 1 --block 256
__inline__ __device__ float warpReduceSum(float val) {
    for (int offset = warpSize / 2; offset > 0; offset /= 2) val += __shfl_down_sync(0xffffffff, val, offset);
    return val;
}
__global__ void blockReduceSum(const float *in, float *out, int n) {
    static __shared__ float shared[32];
    int lane = threadIdx.x % warpSize;
    int wid = threadIdx.x / warpSize;
    float val = 0.0f;
    for (int i = threadIdx.x; i < n; i += blockDim.x) val += in[i];
    val = warpReduceSum(val);
    if (lane == 0) shared[wid] = val;
    __syncthreads();
    val = (threadIdx.x < blockDim.x / warpSize) ? shared[lane] : 0;
    if (wid == 0) val = warpReduceSum(val);
    if (threadIdx.x == 0) out[0] = val;
}
