// CHECK loops.c:bias_relu --grid "(m + 31) / 32, (n + 7) / 8" --block 32,8
// FAULTS 5
__global__ void bias_relu_2d(const float *x, const float *bias, float *y, int rows, int cols) {
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
#if defined FAULT_1
    if (r >= rows && c >= cols) return;
#else
    if (r >= rows || c >= cols) return;
#endif
#if defined FAULT_2
    float v = x[r * cols + c] + bias[r];
#elif defined FAULT_3
    float v = x[r * cols + c] * bias[c];
#else
    float v = x[r * cols + c] + bias[c];
#endif
#if defined FAULT_4
    y[r * cols + c] = fmaxf(v, 0.01f * v);
#elif defined FAULT_5
    y[r * rows + c] = fmaxf(v, 0.0f);
#else
    y[r * cols + c] = fmaxf(v, 0.0f);
#endif
}
