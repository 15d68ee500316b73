// CHECK loops.c:ger --grid "(m + 31) / 32, (n + 7) / 8" --block 32,8
__global__ void ger(int n, int m, float alpha, const float *x, const float *y, float *A) {
    int j = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y * 8 + threadIdx.y;
    if (i < n && j < m) A[i * m + j] += alpha * x[i] * y[j];
}
