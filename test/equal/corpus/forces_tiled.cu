// CHECK loops.c:forces --where "n % 64 == 0" --grid "n / 64" --block 64
__global__ void forces_tiled(const float *x, const float *m, float *f, int n) {
    __shared__ float xs[64], ms[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float xi = x[i], s = 0.0f;
    for (int tile = 0; tile < gridDim.x; tile++) {
        int idx = tile * blockDim.x + threadIdx.x;
        xs[threadIdx.x] = x[idx];
        ms[threadIdx.x] = m[idx];
        __syncthreads();
        for (int j = 0; j < blockDim.x; j++) {
            float d = xs[j] - xi;
            s += ms[j] * d / sqrtf(d * d + 0.01f);
        }
        __syncthreads();
    }
    f[i] = s;
}
