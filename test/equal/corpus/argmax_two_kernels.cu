// CHECK loops.c:argmax_all --where "n >= 1"
#include <cuda_runtime.h>
#define BLOCK 256
#define GRID 64
__global__ void argmax_partial(const float *x, int n, float *pv, int *pi) {
    __shared__ float sv[BLOCK];
    __shared__ int si[BLOCK];
    int tid = threadIdx.x;
    float best = -INFINITY; int bi = 0x7fffffff;
    for (int i = blockIdx.x * blockDim.x + tid; i < n; i += gridDim.x * blockDim.x) {
        if (x[i] > best) { best = x[i]; bi = i; }
    }
    sv[tid] = best; si[tid] = bi;
    __syncthreads();
    for (int s = BLOCK / 2; s > 0; s /= 2) {
        if (tid < s) {
            if (sv[tid + s] > sv[tid] || (sv[tid + s] == sv[tid] && si[tid + s] < si[tid])) {
                sv[tid] = sv[tid + s];
                si[tid] = si[tid + s];
            }
        }
        __syncthreads();
    }
    if (tid == 0) { pv[blockIdx.x] = sv[0]; pi[blockIdx.x] = si[0]; }
}
__global__ void argmax_final(const float *pv, const int *pi, float *best_out, int *at_out) {
    __shared__ float sv[GRID];
    __shared__ int si[GRID];
    int tid = threadIdx.x;
    sv[tid] = pv[tid]; si[tid] = pi[tid];
    __syncthreads();
    for (int s = GRID / 2; s > 0; s /= 2) {
        if (tid < s && (sv[tid + s] > sv[tid] || (sv[tid + s] == sv[tid] && si[tid + s] < si[tid]))) {
            sv[tid] = sv[tid + s];
            si[tid] = si[tid + s];
        }
        __syncthreads();
    }
    if (tid == 0) { *best_out = sv[0]; *at_out = si[0]; }
}
void argmax(int n, const float *x, float *best_out, int *at_out) {
    float *pv; int *pi;
    cudaMalloc(&pv, GRID * sizeof(float));
    cudaMalloc(&pi, GRID * sizeof(int));
    argmax_partial<<<GRID, BLOCK>>>(x, n, pv, pi);
    argmax_final<<<1, GRID>>>(pv, pi, best_out, at_out);
    cudaFree(pv); cudaFree(pi);
}
