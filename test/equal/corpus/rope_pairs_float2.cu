// CHECK loops.c:rope_pairs --grid "T, H" --block 64
__global__ void rope_kernel(const float2 *__restrict__ x, const float *__restrict__ cosv,
                            const float *__restrict__ sinv, float2 *__restrict__ y, int T, int H, int D) {
    const int t = blockIdx.x, h = blockIdx.y;
    const size_t base = ((size_t)t * H + h) * D;
    for (int d = threadIdx.x; d < D; d += blockDim.x) {
        float2 v = x[base + d];
        float c = cosv[t * D + d], s = sinv[t * D + d];
        float2 r;
        r.x = v.x * c - v.y * s;
        r.y = v.x * s + v.y * c;
        y[base + d] = r;
    }
}
