// CHECK loops.c:rowsum_too --grid n --block 128 --permit reassociate
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void rowsum(int n, int m, const float *__restrict__ x, float *__restrict__ y)
{
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<32>(block);
    __shared__ float part[4];
    const float *row = x + blockIdx.x * m;
    float s = 0.f;
    for (int j = block.thread_rank(); j < m; j += block.size()) s += row[j];
    s = cg::reduce(tile, s, cg::plus<float>());
    if (tile.thread_rank() == 0) part[tile.meta_group_rank()] = s;
    block.sync();
    if (threadIdx.x == 0) y[blockIdx.x] = part[0] + part[1] + part[2] + part[3];
}
