// CHECK loops.c:embedding_float4 --where "d % 4 == 0" --grid n --block 64
__global__ void embed(const int *__restrict__ tok, const float *__restrict__ table, float *__restrict__ out, int n, int d) {
    int t = tok[blockIdx.x];
    const float4 *src = reinterpret_cast<const float4 *>(table + (long)t * d);
    float4 *dst = reinterpret_cast<float4 *>(out + (long)blockIdx.x * d);
    for (int i = threadIdx.x; i < d / 4; i += blockDim.x) dst[i] = src[i];
}
