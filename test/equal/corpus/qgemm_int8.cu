// CHECK loops.c:qgemm --grid "(N+15)/16,(M+15)/16" --block 16,16 --kernel qgemm
#include <stdint.h>
__global__ void qgemm(const int8_t *A, const int8_t *B, float *C, int M, int N, int K, float scale) {
    int n = blockIdx.x * blockDim.x + threadIdx.x;
    int m = blockIdx.y * blockDim.y + threadIdx.y;
    if (m >= M || n >= N) return;
    int32_t acc = 0;
    for (int k = 0; k < K; ++k)
        acc += (int32_t)A[m * K + k] * (int32_t)B[n * K + k];
    C[m * N + n] = (float)acc * scale;
}
