// CHECK loops.c:relu --grid "(n + 127) / 128" --block 128
// FAULTS 2
// UNREAD_FAULTS 1 2
// SAYS 0 no assertion that fails
// What the head says of a block's size is kept, and no more shared memory used than there is.
#include <assert.h>
#ifdef FAULT_1
#define MOST 64
#else
#define MOST 128
#endif
#ifdef FAULT_2
#define ROOM 13000
#else
#define ROOM 128
#endif
__global__ void __launch_bounds__(MOST, 2) heads(int n, const float *x, float *y) {
    __shared__ float s[ROOM];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    assert(n > 0);
    if (i < n) s[threadIdx.x] = x[i];
    if (i < n) y[i] = s[threadIdx.x] > 0.0f ? s[threadIdx.x] : 0.0f;
}
