// CHECK loops.c:prelu --grid "(N * C * S + 255) / 256" --block 256
__global__ void prelu_kernel(const float *input, const float *weight, float *output, int N, int C, int S) {
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = blockDim.x * gridDim.x;
    int size = N * C * S;
    for (int i = idx; i < size; i += stride) {
        int c = (i / S) % C;
        float v = input[i];
        output[i] = v > 0 ? v : weight[c] * v;
    }
}
