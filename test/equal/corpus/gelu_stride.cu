// CHECK loops.c:gelu_tanh --grid 108 --block 256
__global__ void gelu_forward(float *out, const float *inp, int N) {
    const float s = 0.7978845608f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x) {
        float xi = inp[i];
        float cube = 0.044715f * xi * xi * xi;
        out[i] = 0.5f * xi * (1.0f + tanhf(s * (xi + cube)));
    }
}
