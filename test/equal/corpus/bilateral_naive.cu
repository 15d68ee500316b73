// CHECK loops.c:bilateral --grid "(w + 15) / 16, (h + 15) / 16" --block "16, 16"
__device__ inline int clampi(int v, int lo, int hi) { return v < lo ? lo : v > hi ? hi : v; }
__global__ void bilateral5(const float *in, float *out, int h, int w, float inv_s, float inv_r) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    float center = in[y * w + x];
    float sum = 0.0f, norm = 0.0f;
    for (int dy = -2; dy <= 2; dy++) {
        for (int dx = -2; dx <= 2; dx++) {
            float v = in[clampi(y + dy, 0, h - 1) * w + clampi(x + dx, 0, w - 1)];
            float diff = v - center;
            float weight = expf(-(dy * dy + dx * dx) * inv_s - diff * diff * inv_r);
            sum += weight * v;
            norm += weight;
        }
    }
    out[y * w + x] = sum / norm;
}
