// CHECK loops.c:groupnorm --permit reassociate --grid "n * c" --block 256
__global__ void gn(const float *x, float *y, int n, int c, int hw, float eps) {
    __shared__ float s1[256], s2[256];
    int size = 4 * hw;
    const float *p = x + blockIdx.x * size;
    float a = 0, b = 0;
    for (int i = threadIdx.x; i < size; i += blockDim.x) {
        float v = p[i];
        a += v;
        b += v * v;
    }
    s1[threadIdx.x] = a;
    s2[threadIdx.x] = b;
    __syncthreads();
    for (int o = blockDim.x / 2; o > 0; o >>= 1) {
        if (threadIdx.x < o) {
            s1[threadIdx.x] += s1[threadIdx.x + o];
            s2[threadIdx.x] += s2[threadIdx.x + o];
        }
        __syncthreads();
    }
    float mu = s1[0] / size, var = s2[0] / size - mu * mu;
    for (int i = threadIdx.x; i < size; i += blockDim.x) y[blockIdx.x * size + i] = (p[i] - mu) / sqrtf(var + eps);
}
