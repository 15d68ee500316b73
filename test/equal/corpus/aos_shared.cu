// CHECK loops.c:aos_to_soa --where "n % 64 == 0" --grid "n / 64" --block 64
__global__ void split_shared(const float *p, float *x, float *y, float *z, int n) {
    __shared__ float s[192];
    int t = threadIdx.x, base = blockIdx.x * 192;
    s[t] = p[base + t];
    s[t + 64] = p[base + t + 64];
    s[t + 128] = p[base + t + 128];
    __syncthreads();
    int i = blockIdx.x * 64 + t;
    x[i] = s[3 * t];
    y[i] = s[3 * t + 1];
    z[i] = s[3 * t + 2];
}
