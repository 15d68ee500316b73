// CHECK loops.c:sddmm --grid "(n + 127) / 128" --block 128
__global__ void sddmm_kernel(const int *ptr, const int *col, const float *A, const float *B, float *out, int n, int d) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    for (int p = ptr[i]; p < ptr[i + 1]; ++p) {
        const int j = col[p];
        float dot = 0.0f;
        for (int k = 0; k < d; ++k) dot += A[i * d + k] * B[j * d + k];
        out[p] = dot;
    }
}
