// CHECK loops.c:copy_floats
__global__ void copy_one(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];
}
void copy(int n, const float *x, float *y) {
    if (n < 1) return;
    if (n > 512) {
        if (n > 1000) copy_one<<<(n + 511) / 512, 512>>>(x, y, n);
        else copy_one<<<(n + 255) / 256, 256>>>(x, y, n);
    } else copy_one<<<(n + 63) / 64, 64>>>(x, y, n);
}
