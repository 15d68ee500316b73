// CHECK loops.c:matvec_dyn --permit reassociate --grid "(m + 7) / 8" --block "32, 8"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void gemv(const float *__restrict__ A, const float *__restrict__ x, float *__restrict__ y, int m, int n) {
    cg::thread_block cta = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(cta);
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= m) return;
    float sum = 0.0f;
    for (int j = warp.thread_rank(); j < n; j += warp.num_threads()) sum = fmaf(A[row * n + j], x[j], sum);
    sum = cg::reduce(warp, sum, cg::plus<float>());
    if (warp.thread_rank() == 0) y[row] = sum;
}
