// CHECK loops.c:qk_heads --where "D % 4 == 0" --grid "(T + 15) / 16, (T + 15) / 16, H" --block 16,16
__global__ void qk(const float *__restrict__ q, const float *__restrict__ k, float *__restrict__ s, int T, int D) {
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y, h = blockIdx.z;
    if (i >= T || j >= T) return;
    const float4 *qr = reinterpret_cast<const float4 *>(q + ((size_t)h * T + i) * D);
    const float4 *kr = reinterpret_cast<const float4 *>(k + ((size_t)h * T + j) * D);
    float acc = 0.0f;
    for (int d = 0; d < D / 4; d++) {
        float4 a = qr[d], b = kr[d];
        acc += a.x * b.x;
        acc += a.y * b.y;
        acc += a.z * b.z;
        acc += a.w * b.w;
    }
    s[((size_t)h * T + i) * T + j] = acc;
}
