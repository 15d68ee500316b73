// CHECK loops.c:relu --grid "(n + 127) / 128" --block 128
// FAULTS 5
__global__ void relu_kernel(const float *in, float *out, int size) {
    const int idx = threadIdx.x + blockIdx.x * blockDim.x;
#ifdef FAULT_1
    if (idx > size) return;
#elif defined FAULT_2
    if (idx >= size - 1) return;
#else
    if (idx >= size) return;
#endif
#ifdef FAULT_3
    out[idx] = in[idx] > 0.0f ? in[idx] : -in[idx];
#elif defined FAULT_4
    out[idx] = in[idx] > 1.0f ? in[idx] : 0.0f;
#elif defined FAULT_5
    out[idx] = in[idx] > 0.0f ? in[idx] : out[idx];
#else
    out[idx] = in[idx] > 0.0f ? in[idx] : 0.0f;
#endif
}
