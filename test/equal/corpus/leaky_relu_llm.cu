// CHECK loops.c:leaky_relu
// Each thread handles one element with bounds checking
__global__ void leakyReluKernel(const float *input, float *output, int size, float alpha) {
    // Calculate global thread index
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    // Bounds check
    if (idx < size) {
        float val = input[idx];
        output[idx] = (val > 0.0f) ? val : alpha * val;
    }
}
void leaky_relu(int n, float slope, const float *x, float *y) {
    const int threads = 256;
    const int blocks = (n + threads - 1) / threads;
    leakyReluKernel<<<blocks, threads>>>(x, y, n, slope);
}
