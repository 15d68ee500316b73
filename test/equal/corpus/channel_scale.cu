// CHECK loops.c:channel_scale --grid "(s + 127) / 128, c, n" --block 128
__global__ void channel_scale(int c, int s, const float *x, const float *g, const float *b, float *y) {
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    int k = blockIdx.y, i = blockIdx.z;
    if (p < s) {
        int at = (i * c + k) * s + p;
        y[at] = x[at] * g[k] + b[k];
    }
}
