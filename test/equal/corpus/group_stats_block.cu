// CHECK loops.c:group_norm_stats --permit reassociate --grid n --block 256
template <int kWarps>
__device__ float2 block_sum2(float2 v) {
    __shared__ float2 part[kWarps];
    int lane = threadIdx.x & 31, wid = threadIdx.x >> 5;
    for (int o = 16; o > 0; o >>= 1) {
        v.x += __shfl_down_sync(0xffffffff, v.x, o);
        v.y += __shfl_down_sync(0xffffffff, v.y, o);
    }
    if (lane == 0) part[wid] = v;
    __syncthreads();
    float2 t = make_float2(0.0f, 0.0f);
    if (threadIdx.x == 0)
        for (int w = 0; w < kWarps; w++) {
            t.x += part[w].x;
            t.y += part[w].y;
        }
    return t;
}
__global__ void group_stats(const float *__restrict__ x, float *__restrict__ mean, float *__restrict__ var, int s) {
    float2 acc = make_float2(0.0f, 0.0f);
    for (int k = threadIdx.x; k < s; k += 256) {
        float v = x[blockIdx.x * s + k];
        acc.x += v;
        acc.y += v * v;
    }
    acc = block_sum2<8>(acc);
    if (threadIdx.x == 0) {
        mean[blockIdx.x] = acc.x / s;
        var[blockIdx.x] = acc.y / s - acc.x / s * (acc.x / s);
    }
}
