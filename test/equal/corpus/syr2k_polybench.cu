// CHECK loops.c:syr2k --grid "(n + 31) / 32, (n + 7) / 8" --block 32,8 --bind ni=n,nj=m
__global__ void syr2k_kernel(int ni, int nj, float alpha, float beta, float *a, float *b, float *c) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if ((i < ni) && (j < ni)) {
        c[i * ni + j] *= beta;
        int k;
        for (k = 0; k < nj; k++) {
            c[i * ni + j] += alpha * a[i * nj + k] * b[j * nj + k];
            c[i * ni + j] += alpha * b[i * nj + k] * a[j * nj + k];
        }
    }
}
