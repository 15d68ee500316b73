// CHECK loops.c:gramschmidt_norm --grid 1 --block 256
__global__ void gramschmidt_kernel1(int m, int n, int k, const float *A, float *nrm)
{
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    if (tid == 0) {
        float s = 0.0f;
        int i;
        for (i = 0; i < m; i++) { s += A[i * n + k] * A[i * n + k]; }
        nrm[0] = sqrtf(s);
    }
}
