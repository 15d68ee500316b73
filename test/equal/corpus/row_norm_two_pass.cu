// CHECK loops.c:row_norm_scale --permit reassociate --grid n --block 64
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void normalize_rows(const float *x, float *y, int m) {
    cg::thread_block cta = cg::this_thread_block();
    __shared__ float red[64];
    int t = cta.thread_rank();
    const float *xr = x + blockIdx.x * m;
    float acc = 0.0f;
    for (int j = t; j < m; j += 64) acc += xr[j] * xr[j];
    red[t] = acc;
    cta.sync();
    for (int w = 32; w > 0; w >>= 1) {
        if (t < w) red[t] += red[t + w];
        cta.sync();
    }
    float norm = sqrtf(red[0] + 1e-6f);
    for (int j = t; j < m; j += 64) y[blockIdx.x * m + j] = xr[j] / norm;
}
