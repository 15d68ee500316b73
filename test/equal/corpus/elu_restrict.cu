// CHECK loops.c:elu --grid "(n + 255) / 256" --block 256
extern "C" __global__ __launch_bounds__(256) void elu_forward(const float *__restrict__ input,
                                                              float *__restrict__ output, const float alpha,
                                                              const int n) {
    const int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx >= n) return;
    const float v = __ldg(&input[idx]);
    output[idx] = (v > 0) ? v : alpha * (expf(v) - 1.0f);
}
