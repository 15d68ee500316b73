// CHECK loops.c:rowmax --grid "(n + 7) / 8" --block 256 --where "m > 0"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void rowmax(int n, int m, const float *x, float *y)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    int row = blockIdx.x * 8 + warp.meta_group_rank();
    if (row >= n) return;
    float t = -INFINITY;
    for (int j = warp.thread_rank(); j < m; j += warp.size()) t = fmaxf(t, x[row * m + j]);
    for (int o = warp.size() / 2; o > 0; o /= 2) t = fmaxf(t, warp.shfl_down(t, o));
    if (warp.thread_rank() == 0) y[row] = t;
}
