// CHECK loops.c:attention_values --grid "(d + 31) / 32, n" --block 32
__global__ void pv(const float *P, const float *V, float *O, int n, int d) {
    __shared__ float p[32];
    int j = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y;
    float s = 0.0f;
    for (int k0 = 0; k0 < n; k0 += 32) {
        if (k0 + threadIdx.x < n) p[threadIdx.x] = P[i * n + k0 + threadIdx.x];
        __syncthreads();
        if (j < d)
            for (int k = 0; k < 32 && k0 + k < n; k++) s += p[k] * V[(k0 + k) * d + j];
        __syncthreads();
    }
    if (j < d) O[i * d + j] = s;
}
