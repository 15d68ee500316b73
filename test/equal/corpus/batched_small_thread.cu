// CHECK loops.c:batched_small --grid "(b + 15) / 16" --block "4,4,16"
__global__ void mm4(const float *A, const float *B, float *C, int b) {
    __shared__ float sa[16][4][4], sb[16][4][4];
    int p = blockIdx.x * 16 + threadIdx.z;
    int i = threadIdx.y, j = threadIdx.x, z = threadIdx.z;
    if (p < b) {
        sa[z][i][j] = A[p * 16 + i * 4 + j];
        sb[z][i][j] = B[p * 16 + i * 4 + j];
    }
    __syncthreads();
    if (p < b) {
        float s = 0;
        for (int k = 0; k < 4; k++) s += sa[z][i][k] * sb[z][k][j];
        C[p * 16 + i * 4 + j] = s;
    }
}
