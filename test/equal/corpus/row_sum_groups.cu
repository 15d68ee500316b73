// CHECK loops.c:row_sum --permit reassociate --grid "(n + 7) / 8" --block 256
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void row_sum_kernel(const float *x, float *y, int n, int m) {
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    int row = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
    if (row >= n) return;
    float s = 0.0f;
    for (int i = warp.thread_rank(); i < m; i += warp.size()) s += x[row * m + i];
    s = cg::reduce(warp, s, cg::plus<float>{});
    if (warp.thread_rank() == 0) y[row] = s;
}
