// CHECK loops.c:gemm
#define TILE_WIDTH 16
__global__ void matrixMultiplyShared(const float *A, const float *B, float *C, int numARows, int numAColumns, int numBColumns) {
    __shared__ float ds_A[TILE_WIDTH][TILE_WIDTH];
    __shared__ float ds_B[TILE_WIDTH][TILE_WIDTH];
    int tx = threadIdx.x, ty = threadIdx.y;
    int Row = blockIdx.y * TILE_WIDTH + ty;
    int Col = blockIdx.x * TILE_WIDTH + tx;
    float Cvalue = 0.0;
    for (int m = 0; m < (numAColumns - 1) / TILE_WIDTH + 1; ++m) {
        if (Row < numARows && m * TILE_WIDTH + tx < numAColumns)
            ds_A[ty][tx] = A[Row * numAColumns + m * TILE_WIDTH + tx];
        else
            ds_A[ty][tx] = 0;
        if (Col < numBColumns && m * TILE_WIDTH + ty < numAColumns)
            ds_B[ty][tx] = B[(m * TILE_WIDTH + ty) * numBColumns + Col];
        else
            ds_B[ty][tx] = 0;
        __syncthreads();
        for (int k = 0; k < TILE_WIDTH; ++k) Cvalue += ds_A[ty][k] * ds_B[k][tx];
        __syncthreads();
    }
    if (Row < numARows && Col < numBColumns) C[Row * numBColumns + Col] = Cvalue;
}
void gemm(int M, int N, int K, const float *A, const float *B, float *C) {
    dim3 dimGrid((N - 1) / TILE_WIDTH + 1, (M - 1) / TILE_WIDTH + 1, 1);
    dim3 dimBlock(TILE_WIDTH, TILE_WIDTH, 1);
    matrixMultiplyShared<<<dimGrid, dimBlock>>>(A, B, C, M, K, N);
}
