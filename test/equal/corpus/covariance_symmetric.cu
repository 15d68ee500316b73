// CHECK loops.c:covariance --grid "(m + 63) / 64" --block 64
__global__ void covar_kernel(int n, int m, const float *data, float *symmat) {
    int j1 = blockIdx.x * blockDim.x + threadIdx.x;
    if (j1 < m) {
        for (int j2 = j1; j2 < m; j2++) {
            float acc = 0.0f;
            for (int i = 0; i < n; i++) acc += data[i * m + j1] * data[i * m + j2];
            symmat[j1 * m + j2] = acc;
            symmat[j2 * m + j1] = acc;
        }
    }
}
