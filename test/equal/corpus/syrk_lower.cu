// CHECK loops.c:syrk --grid "(n + 15) / 16, (n + 15) / 16" --block 16,16
__global__ void syrk(int n, int k, const float *A, float *C) {
    int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
    if (i < n && j <= i) {
        float s = 0.0f;
        for (int p = 0; p < k; p++) s += A[i * k + p] * A[j * k + p];
        C[i * n + j] = s;
    }
}
