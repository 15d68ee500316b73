// CHECK loops.c:band_matvec --grid "(n + 127) / 128" --block 128
__global__ void band(int n, const float *A, const float *x, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = 0.0f;
    for (int d = 0; d < 5; d++) {
        int j = i + d - 2;
        if (j >= 0 && j < n) s += A[i * 5 + d] * x[j];
    }
    y[i] = s;
}
