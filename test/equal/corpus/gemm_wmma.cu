// CHECK loops.c:gemm --where "M % 16 == 0 && N % 16 == 0 && K % 16 == 0" --permit reassociate --grid "N / 16, M / 16" --block 32
#include <mma.h>
using namespace nvcuda;
__global__ void gemm_tf32(const float *A, const float *B, float *C, int M, int N, int K) {
    wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 8, float> c;
    wmma::fill_fragment(c, 0.0f);
    int row = blockIdx.y * 16, col = blockIdx.x * 16;
    for (int k = 0; k < K; k += 8) {
        wmma::load_matrix_sync(a, A + row * K + k, K);
        wmma::load_matrix_sync(b, B + k * N + col, N);
        wmma::mma_sync(c, a, b, c);
    }
    wmma::store_matrix_sync(C + row * N + col, c, N, wmma::mem_row_major);
}
