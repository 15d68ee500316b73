// CHECK loops.c:decode_scores --permit reassociate --where "D == 128" --grid "(T + 3) / 4, H" --block "32, 4"
__global__ void qk_decode(const float *__restrict__ q, const float *__restrict__ k, float *__restrict__ s, float scale,
                          int H, int T, int D) {
    int h = blockIdx.y, t = blockIdx.x * blockDim.y + threadIdx.y;
    if (t >= T) return;
    const float4 *q4 = reinterpret_cast<const float4 *>(q + h * D);
    const float4 *k4 = reinterpret_cast<const float4 *>(k + ((size_t)h * T + t) * D);
    float4 a = q4[threadIdx.x], b = k4[threadIdx.x];
    float acc = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    for (int o = 16; o > 0; o >>= 1) acc += __shfl_xor_sync(0xffffffff, acc, o);
    if (threadIdx.x == 0) s[h * T + t] = acc * scale;
}
