// CHECK loops.c:transpose --grid "(m + 15) / 16, (n + 15) / 16" --block 16,16
// FAULTS 5
__global__ void transpose_naive(int rows, int cols, const float *in, float *out) {
    unsigned int c = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int r = blockIdx.y * blockDim.y + threadIdx.y;
#if defined FAULT_1
    if (r < cols && c < rows) out[c * rows + r] = in[r * cols + c];
#elif defined FAULT_2
    if (r < rows && c < cols) out[c * cols + r] = in[r * cols + c];
#elif defined FAULT_3
    if (r < rows && c < cols) out[r * cols + c] = in[r * cols + c];
#elif defined FAULT_4
    if (r < rows - 1 && c < cols) out[c * rows + r] = in[r * cols + c];
#elif defined FAULT_5
    out[c * rows + r] = in[r * cols + c];
#else
    if (r < rows && c < cols) out[c * rows + r] = in[r * cols + c];
#endif
}
