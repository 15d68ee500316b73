// CHECK loops.c:mm2
#include <stdio.h>
#define DIM_THREAD_BLOCK_X 32
#define DIM_THREAD_BLOCK_Y 8
typedef float DATA_TYPE;
__global__ void mm2_kernel1(int ni, int nj, int nk, int nl, DATA_TYPE *tmp, DATA_TYPE *A, DATA_TYPE *B) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if ((i < ni) && (j < nj)) {
        tmp[i * nj + j] = 0;
        int k;
        for (k = 0; k < nk; k++) tmp[i * nj + j] += A[i * nk + k] * B[k * nj + j];
    }
}
__global__ void mm2_kernel2(int ni, int nj, int nk, int nl, DATA_TYPE *tmp, DATA_TYPE *C, DATA_TYPE *D) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if ((i < ni) && (j < nl)) {
        D[i * nl + j] = 0;
        int k;
        for (k = 0; k < nj; k++) D[i * nl + j] += tmp[i * nj + k] * C[k * nl + j];
    }
}
void mm2Cuda(int NI, int NJ, int NK, int NL, DATA_TYPE *A, DATA_TYPE *B, DATA_TYPE *C, DATA_TYPE *E) {
    DATA_TYPE *tmp_gpu;
    cudaMalloc((void **)&tmp_gpu, sizeof(DATA_TYPE) * NI * NJ);
    dim3 block(DIM_THREAD_BLOCK_X, DIM_THREAD_BLOCK_Y);
    dim3 grid1((size_t)ceil(((float)NJ) / ((float)block.x)), (size_t)ceil(((float)NI) / ((float)block.y)));
    dim3 grid2((size_t)ceil(((float)NL) / ((float)block.x)), (size_t)ceil(((float)NI) / ((float)block.y)));
    mm2_kernel1<<<grid1, block>>>(NI, NJ, NK, NL, tmp_gpu, A, B);
    cudaThreadSynchronize();
    mm2_kernel2<<<grid2, block>>>(NI, NJ, NK, NL, tmp_gpu, C, E);
    cudaThreadSynchronize();
    cudaFree(tmp_gpu);
}
