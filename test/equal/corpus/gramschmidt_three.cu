// CHECK loops.c:gramschmidt_k --where "k >= 0 && k < nj"
typedef float DATA_TYPE;
__global__ void gramschmidt_kernel1(int ni, int nj, DATA_TYPE *a, DATA_TYPE *r, DATA_TYPE *q, int k) {
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    if (tid == 0) {
        DATA_TYPE nrm = 0.0;
        int i;
        for (i = 0; i < ni; i++) nrm += a[i * nj + k] * a[i * nj + k];
        r[k * nj + k] = sqrtf(nrm);
    }
}
__global__ void gramschmidt_kernel2(int ni, int nj, DATA_TYPE *a, DATA_TYPE *r, DATA_TYPE *q, int k) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < ni) q[i * nj + k] = a[i * nj + k] / r[k * nj + k];
}
__global__ void gramschmidt_kernel3(int ni, int nj, DATA_TYPE *a, DATA_TYPE *r, DATA_TYPE *q, int k) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if ((j > k) && (j < nj)) {
        r[k * nj + j] = 0.0;
        int i;
        for (i = 0; i < ni; i++) r[k * nj + j] += q[i * nj + k] * a[i * nj + j];
        for (i = 0; i < ni; i++) a[i * nj + j] -= q[i * nj + k] * r[k * nj + j];
    }
}
void gramschmidtCuda(int ni, int nj, DATA_TYPE *a, DATA_TYPE *r, DATA_TYPE *q, int k) {
    dim3 block(256, 1);
    dim3 gridKernel1(1, 1);
    dim3 gridKernel2((ni + 255) / 256, 1);
    dim3 gridKernel3((nj + 255) / 256, 1);
    gramschmidt_kernel1<<<gridKernel1, block>>>(ni, nj, a, r, q, k);
    gramschmidt_kernel2<<<gridKernel2, block>>>(ni, nj, a, r, q, k);
    gramschmidt_kernel3<<<gridKernel3, block>>>(ni, nj, a, r, q, k);
}
