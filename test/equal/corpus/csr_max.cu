// CHECK loops.c:csr_max --grid "(n + 127) / 128" --block 128
__global__ void k(int n, const int *rp, const float *v, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float m = 0.0f;
    for (int k = rp[i]; k < rp[i + 1]; k++) m = fmaxf(m, v[k]);
    y[i] = m;
}
