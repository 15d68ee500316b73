// CHECK loops.c:matvec_t --permit reassociate --grid "(m + 31) / 32" --block 32,8
__global__ void gemv_t(const float *A, const float *x, float *y, int n, int m) {
    __shared__ float part[8][32];
    int j = blockIdx.x * 32 + threadIdx.x;
    float s = 0.0f;
    if (j < m)
        for (int i = threadIdx.y; i < n; i += 8) s += A[i * m + j] * x[i];
    part[threadIdx.y][threadIdx.x] = s;
    __syncthreads();
    if (threadIdx.y == 0 && j < m) {
        float t = 0.0f;
        for (int k = 0; k < 8; k++) t += part[k][threadIdx.x];
        y[j] = t;
    }
}
