// CHECK loops.c:clamp_values --grid "(n + 255) / 256" --block 256
__global__ void clamp_kernel(int n, float lo, float hi, const float *x, float *y) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i];
        v = max(v, lo);
        v = min(v, hi);
        y[i] = v;
    }
}
