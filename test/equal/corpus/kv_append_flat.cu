// CHECK loops.c:kv_append --where "pos >= 0 && pos < T" --grid "(B * H * D + 255) / 256" --block 256
__global__ void kv_append(const float *k, float *cache, int B, int H, int D, int T, int pos) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= B * H * D) return;
    int d = i % D;
    int bh = i / D;
    cache[(bh * T + pos) * D + d] = k[i];
}
