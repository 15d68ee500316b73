// CHECK loops.c:silu --grid "(n + 255) / 256" --block 256
__global__ void silu(const float *x, float *y, int n) {
    auto act = [](float v) { return v / (1.0f + expf(-v)); };
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = act(x[i]);
}
