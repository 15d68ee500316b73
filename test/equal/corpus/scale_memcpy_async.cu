// CHECK loops.c:vec_scale128 --where "n % 128 == 0" --grid "n / 128" --block 128
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
__global__ void scale(const float *x, float *y, float a, int n) {
    __shared__ float s[128];
    cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, s, x + blockIdx.x * 128, sizeof(float) * 128);
    cg::wait(block);
    y[blockIdx.x * 128 + threadIdx.x] = s[threadIdx.x] * a;
}
