// CHECK loops.c:softmax_rows --permit reassociate --where "cols <= 128" --grid "(rows + 3) / 4" --block 128
__global__ void softmax_small(const float *in, float *out, int rows, int cols) {
    int warp = threadIdx.x / 32, lane = threadIdx.x & 31;
    int row = blockIdx.x * 4 + warp;
    if (row >= rows) return;
    float reg[4];
    float mx = -INFINITY;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        reg[k] = k * 32 + lane < cols ? in[row * cols + k * 32 + lane] : -INFINITY;
        mx = fmaxf(mx, reg[k]);
    }
    for (int mask = 16; mask > 0; mask /= 2) mx = fmaxf(mx, __shfl_xor_sync(0xffffffff, mx, mask));
    float s = 0.f;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        reg[k] = expf(reg[k] - mx);
        s += reg[k];
    }
    for (int mask = 16; mask > 0; mask /= 2) s += __shfl_xor_sync(0xffffffff, s, mask);
    for (int k = 0; k < 4; k++)
        if (k * 32 + lane < cols) out[row * cols + k * 32 + lane] = reg[k] / s;
}
