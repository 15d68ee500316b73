// CHECK loops.c:matvec --grid "(n + 63) / 64" --block 64
__global__ void gemv_x(const float *A, const float *x, float *y, int n, int m) {
    __shared__ float xs[64];
    int t = threadIdx.x, row = blockIdx.x * 64 + t;
    float s = 0.0f;
    for (int j0 = 0; j0 < m; j0 += 64) {
        xs[t] = j0 + t < m ? x[j0 + t] : 0.0f;
        __syncthreads();
        int lim = min(64, m - j0);
        if (row < n)
            for (int j = 0; j < lim; j++) s += A[row * m + j0 + j] * xs[j];
        __syncthreads();
    }
    if (row < n) y[row] = s;
}
