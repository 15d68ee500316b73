// CHECK loops.c:conv3d_poly --where "NI >= 3 && NJ >= 1 && NK >= 1"
typedef float DATA_TYPE;
__global__ void convolution3D_kernel(int ni, int nj, int nk, DATA_TYPE *A, DATA_TYPE *B, int i) {
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    DATA_TYPE c11 = +2, c13 = +4, c22 = +5, c33 = -9;
    if ((i < (ni - 1)) && (j < (nj - 1)) && (k < (nk - 1)) && (i > 0) && (j > 0) && (k > 0)) {
        B[i * (nk * nj) + j * nk + k] = c11 * A[(i - 1) * (nk * nj) + (j - 1) * nk + (k - 1)] + c13 * A[(i - 1) * (nk * nj) + (j - 1) * nk + (k + 1)] + c22 * A[(i + 0) * (nk * nj) + (j + 1) * nk + (k + 0)] + c33 * A[(i + 1) * (nk * nj) + (j + 1) * nk + (k + 1)];
    }
}
void convolution3DCuda(int NI, int NJ, int NK, DATA_TYPE *A, DATA_TYPE *B) {
    dim3 block(32, 8);
    dim3 grid((size_t)(ceil(((float)NK) / ((float)block.x))), (size_t)(ceil(((float)NJ) / ((float)block.y))));
    int i;
    for (i = 1; i < NI - 1; ++i) {
        convolution3D_kernel<<<grid, block>>>(NI, NJ, NK, A, B, i);
    }
}
