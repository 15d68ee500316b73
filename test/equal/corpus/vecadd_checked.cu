// CHECK loops.c:add4 --where "n >= 1"
#include <stdio.h>
#include <stdlib.h>
#define CUDA_CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { fprintf(stderr, "%s\n", cudaGetErrorString(e_)); exit(1); } } while (0)
inline void gpuAssert(cudaError_t code, const char *file, int line) { if (code != cudaSuccess) exit(code); }
#define gpuErrchk(ans) { gpuAssert((ans), __FILE__, __LINE__); }
__global__ void k(const float *a, const float *b, float *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
void add4(const float *a, const float *b, float *c, int n) {
    float *da = NULL, *db = NULL, *dc = NULL;
    const size_t bytes = n * sizeof(float);
    CUDA_CHECK(cudaMalloc((void **)&da, bytes));
    CUDA_CHECK(cudaMalloc((void **)&db, bytes));
    gpuErrchk(cudaMalloc((void **)&dc, bytes));
    CUDA_CHECK(cudaMemcpy(da, a, bytes, cudaMemcpyHostToDevice));
    gpuErrchk(cudaMemcpy(db, b, bytes, cudaMemcpyHostToDevice));
    int threadsPerBlock = 256;
    int blocksPerGrid = (n + threadsPerBlock - 1) / threadsPerBlock;
    k<<<blocksPerGrid, threadsPerBlock>>>(da, db, dc, n);
    cudaError_t err = cudaGetLastError();
    if (err != cudaSuccess) {
        fprintf(stderr, "failed %s\n", cudaGetErrorString(err));
        exit(EXIT_FAILURE);
    }
    CUDA_CHECK(cudaDeviceSynchronize());
    err = cudaMemcpy(c, dc, bytes, cudaMemcpyDeviceToHost);
    CUDA_CHECK(cudaFree(da));
    cudaFree(db);
    cudaFree(dc);
}
