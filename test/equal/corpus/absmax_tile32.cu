// CHECK loops.c:row_absmax --permit reassociate --grid "(n + 7) / 8" --block 256
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
using namespace cooperative_groups;
__global__ void rowAbsMax(const float *x, float *out, int n, int m) {
    thread_block block = this_thread_block();
    thread_block_tile<32> warp = tiled_partition<32>(block);
    int row = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
    if (row >= n) return;
    float best = 0.f;
    for (int j = warp.thread_rank(); j < m; j += warp.size()) best = fmaxf(best, fabsf(x[row * m + j]));
    for (int o = warp.size() / 2; o > 0; o /= 2) best = fmaxf(best, warp.shfl_xor(best, o));
    if (warp.thread_rank() == 0) out[row] = best;
}
