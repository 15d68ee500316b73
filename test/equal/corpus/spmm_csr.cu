// CHECK loops.c:spmm_csr --grid "(m + 31) / 32, n" --block 32
__global__ void spmm(int n, int m, const int *rp, const int *ci, const float *v, const float *B, float *C) {
    int i = blockIdx.y, j = blockIdx.x * 32 + threadIdx.x;
    if (j >= m) return;
    float acc = 0.f;
    for (int k = rp[i]; k < rp[i + 1]; k++) acc += v[k] * B[ci[k] * m + j];
    C[i * m + j] = acc;
}
