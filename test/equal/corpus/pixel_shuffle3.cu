// CHECK loops.c:pixel_shuffle --grid "(2 * w + 15) / 16, (2 * h + 15) / 16, c" --block "16,16"
__global__ void ps(const float *x, float *y, int c, int h, int w) {
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.z;
    if (i >= 2 * h || j >= 2 * w) return;
    int ch = (k << 2) + ((i & 1) << 1) + (j & 1);
    y[(k * 2 * h + i) * 2 * w + j] = x[(ch * h + (i >> 1)) * w + (j >> 1)];
}
