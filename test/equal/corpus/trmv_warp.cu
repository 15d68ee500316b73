// CHECK loops.c:trsv_lower_mul --permit reassociate --grid "(n + 3) / 4" --block "32,4"
__global__ void trmv(const float *L, const float *x, float *y, int n) {
    int i = blockIdx.x * 4 + threadIdx.y;
    if (i >= n) return;
    float s = 0.f;
    for (int j = threadIdx.x; j <= i; j += 32) s += L[(size_t)i * n + j] * x[j];
    for (int o = 16; o > 0; o >>= 1) s += __shfl_xor_sync(0xffffffff, s, o);
    if (!threadIdx.x) y[i] = s;
}
