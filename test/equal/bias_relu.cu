// CHECK loops.c:bias_relu --grid "(n * m + 255) / 256" --block 256
// FAULTS 5
__global__ void bias_relu(const float *x, const float *bias, float *y, int rows, int cols) {
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx < rows * cols) {
        int c = idx % cols;
#if defined FAULT_1
        c = idx / cols;
#elif defined FAULT_2
        c = idx % rows;
#endif
#if defined FAULT_3
        y[idx] = fminf(x[idx] + bias[c], 0.0f);
#elif defined FAULT_4
        y[idx] = fmaxf(x[idx], 0.0f) + bias[c];
#elif defined FAULT_5
        y[idx] = fmaxf(x[idx] + bias[0], 0.0f);
#else
        y[idx] = fmaxf(x[idx] + bias[c], 0.0f);
#endif
    }
}
