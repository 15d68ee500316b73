// CHECK loops.c:conv1d --grid "(n + 127) / 128" --block 128
#define MASK 7
__global__ void conv1d(const float *__restrict__ x, const float *__restrict__ w, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float acc = 0.0f;
    if (i < n) {
#pragma unroll
        for (int k = 0; k < MASK; k++) acc += x[i + k] * w[k];
        y[i] = acc;
    }
}
