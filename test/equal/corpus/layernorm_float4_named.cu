// CHECK loops.c:layernorm --permit reassociate --where 'm % 4 == 0 && m >= 4' --grid n --block 128 --bind C=m,w=g
__inline__ __device__ float warpSum(float v) {
    for (int o = 16; o > 0; o >>= 1) v += __shfl_xor_sync(0xffffffff, v, o);
    return v;
}
__inline__ __device__ float blockSum(float v) {
    __shared__ float s[4];
    int lane = threadIdx.x & 31, w = threadIdx.x >> 5;
    v = warpSum(v);
    __syncthreads();
    if (lane == 0) s[w] = v;
    __syncthreads();
    v = lane < 4 ? s[lane] : 0.0f;
    return warpSum(v);
}
__global__ __launch_bounds__(128) void ln(const float *__restrict__ x, const float *__restrict__ w, const float *__restrict__ b, float *__restrict__ y, int C) {
    const float4 *row = reinterpret_cast<const float4 *>(x + blockIdx.x * C);
    float sum = 0.0f;
    for (int i = threadIdx.x; i < C / 4; i += blockDim.x) {
        float4 v = row[i];
        sum += v.x + v.y + v.z + v.w;
    }
    float mean = blockSum(sum) / C;
    float sq = 0.0f;
    for (int i = threadIdx.x; i < C / 4; i += blockDim.x) {
        float4 v = row[i];
        float dx = v.x - mean, dy = v.y - mean, dz = v.z - mean, dw = v.w - mean;
        sq += dx * dx + dy * dy + dz * dz + dw * dw;
    }
    float rstd = 1.0f / sqrtf(blockSum(sq) / C + 1e-5f);
    float4 *out = reinterpret_cast<float4 *>(y + blockIdx.x * C);
    const float4 *w4 = reinterpret_cast<const float4 *>(w), *b4 = reinterpret_cast<const float4 *>(b);
    for (int i = threadIdx.x; i < C / 4; i += blockDim.x) {
        float4 v = row[i], g = w4[i], h = b4[i], o;
        o.x = (v.x - mean) * rstd * g.x + h.x;
        o.y = (v.y - mean) * rstd * g.y + h.y;
        o.z = (v.z - mean) * rstd * g.z + h.z;
        o.w = (v.w - mean) * rstd * g.w + h.w;
        out[i] = o;
    }
}
