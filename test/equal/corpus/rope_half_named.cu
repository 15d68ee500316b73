// CHECK loops.c:rope_two_halves --grid "seq, heads" --block 128
__global__ void rope(float *q, const float *cs, const float *sn, int seq, int heads, int half) {
    int t = blockIdx.x, h = blockIdx.y;
    float *p = q + ((size_t)t * heads + h) * 2 * half;
    for (int d = threadIdx.x; d < half; d += blockDim.x) {
        float c = cs[t * half + d], s = sn[t * half + d];
        float a = p[d], b = p[d + half];
        p[d] = a * c - b * s;
        p[d + half] = b * c + a * s;
    }
}
