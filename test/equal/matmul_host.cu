// CHECK loops.c:matmul
// FAULTS 5
template <int TILE>
__global__ void mm(float *C, const float *A, const float *B, const int size) {
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    float v = 0.f;
    for (int t = 0; t < size; t += TILE) {
        As[threadIdx.y][threadIdx.x] = (y < size && t + threadIdx.x < size) ? A[y * size + t + threadIdx.x] : 0.f;
#ifdef FAULT_1
        Bs[threadIdx.y][threadIdx.x] = (x < size && t + threadIdx.y < size) ? B[(t + threadIdx.x) * size + x] : 0.f;
#else
        Bs[threadIdx.y][threadIdx.x] = (x < size && t + threadIdx.y < size) ? B[(t + threadIdx.y) * size + x] : 0.f;
#endif
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; k++) v = fmaf(As[threadIdx.y][k], Bs[k][threadIdx.x], v);
#ifndef FAULT_2
        __syncthreads();
#endif
    }
    if (x < size && y < size) C[y * size + x] = v;
}
void matmul(int n, const float *a, const float *b, float *c) {
    dim3 block(32, 32);
#ifdef FAULT_3
    dim3 grid(n / block.x, n / block.y);
#elif defined FAULT_4
    dim3 grid((n + block.x - 1) / block.x, 1);
#else
    dim3 grid((n + block.x - 1) / block.x, (n + block.y - 1) / block.y);
#endif
#ifdef FAULT_5
    mm<32><<<grid, block>>>(c, b, a, n);
#else
    mm<32><<<grid, block>>>(c, a, b, n);
#endif
    cudaDeviceSynchronize();
}
