// CHECK loops.c:forward_sub --grid "(m + 63) / 64" --block 64
__global__ void trsm_lower(const float *L, const float *B, float *X, int n, int m) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= m) return;
    for (int i = 0; i < n; i++) {
        float s = B[i * m + c];
        for (int k = 0; k < i; k++) s -= L[i * n + k] * X[k * m + c];
        X[i * m + c] = s / L[i * n + i];
    }
}
