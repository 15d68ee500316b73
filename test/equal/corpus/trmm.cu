// CHECK loops.c:trmm --grid "(m + 15) / 16, (n + 15) / 16" --block 16,16
__global__ void trmm(int n, int m, const float *A, const float *B, float *C) {
    int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
    if (i >= n || j >= m) return;
    float s = 0.0f;
    for (int k = 0; k < n; k++)
        if (k >= i) s += A[i * n + k] * B[k * m + j];
    C[i * m + j] = s;
}
