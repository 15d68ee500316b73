// CHECK loops.c:softmax_cg --permit reassociate --grid "(n + 3) / 4" --block 128
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void softmax_tile(const float *x, float *y, int n, int m) {
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    int row = blockIdx.x * 4 + threadIdx.x / 32;
    if (row >= n) return;
    float mx = -INFINITY;
    for (int j = tile.thread_rank(); j < m; j += 32) mx = fmaxf(mx, x[row * m + j]);
    mx = cg::reduce(tile, mx, cg::greater<float>());
    float s = 0;
    for (int j = tile.thread_rank(); j < m; j += 32) s += expf(x[row * m + j] - mx);
    s = cg::reduce(tile, s, cg::plus<float>());
    for (int j = tile.thread_rank(); j < m; j += 32) y[row * m + j] = expf(x[row * m + j] - mx) / s;
}
