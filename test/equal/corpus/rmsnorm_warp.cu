// CHECK loops.c:rmsnorm --permit reassociate --grid n --block 32
__global__ void rmsnorm(const float *__restrict__ x, const float *__restrict__ w, float *__restrict__ y, int n, int m) {
    int row = blockIdx.x;
    float ss = 0.0f;
    for (int j = threadIdx.x; j < m; j += 32) {
        float v = x[row * m + j];
        ss += v * v;
    }
#pragma unroll
    for (int o = 16; o > 0; o /= 2) ss += __shfl_xor_sync(0xffffffff, ss, o);
    float r = 1.0f / sqrtf(ss / m + 1e-6f);
    for (int j = threadIdx.x; j < m; j += 32) y[row * m + j] = x[row * m + j] * r * w[j];
}
