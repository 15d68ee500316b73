// CHECK loops.c:hotspot --grid "(w + 15) / 16, (h + 15) / 16" --block 16,16
__global__ void hotspot(const float *power, const float *t, float *out, float cap, int h, int w) {
    int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
    if (i >= h || j >= w) return;
    int at = i * w + j;
    float c = t[at];
    float up = (i == 0) ? c : t[at - w];
    float down = (i == h - 1) ? c : t[at + w];
    float left = (j == 0) ? c : t[at - 1];
    float right = (j == w - 1) ? c : t[at + 1];
    out[at] = c + cap * (power[at] + (up + down - 2.0f * c) + (left + right - 2.0f * c));
}
