// CHECK loops.c:lrn --grid "(S + 127) / 128, C" --block 128
__global__ void lrn_kernel(const float *x, float *y, int C, int S) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, c = blockIdx.y;
    if (i >= S) return;
    int lo = max(0, c - 2), hi = min(C - 1, c + 2);
    float s = 0.0f;
    for (int k = lo; k <= hi; k++) s += x[k * S + i] * x[k * S + i];
    y[c * S + i] = x[c * S + i] / powf(2.0f + 1e-4f * s, 0.75f);
}
