// CHECK loops.c:maxpool --where "H % 2 == 0 && W % 2 == 0" --grid "(C*(H/2)*(W/2)+255)/256" --block 256 --kernel maxpool2x2
__global__ void maxpool2x2(const float *x, float *y, int C, int H, int W) {
    int Ho = H / 2, Wo = W / 2;
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx >= C * Ho * Wo) return;
    int w = idx % Wo;
    int h = (idx / Wo) % Ho;
    int c = idx / (Wo * Ho);
    float m = -INFINITY;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            float v = x[(c * H + 2 * h + i) * W + 2 * w + j];
            m = v > m ? v : m;
        }
    y[idx] = m;
}
