// CHECK loops.c:adi_col --grid "(n + 127) / 128" --block 128
__global__ void adi_kernel4(int n, const float *A, float *B, float *X)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= n) return;
    float xp = X[j], bp = B[j];
    for (int i = 1; i < n; i++) {
        float a = A[i * n + j];
        xp = X[i * n + j] - xp * a / bp;
        bp = B[i * n + j] - a * a / bp;
        X[i * n + j] = xp;
        B[i * n + j] = bp;
    }
}
