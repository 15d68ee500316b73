// CHECK loops.c:counted --grid 1 --block 256
// FAULTS 6
// OPEN_FAULTS 2 3
// SAYS 3 does not name all lanes
// One instruction adds up what the lanes of a warp have.
__global__ void counted_by_warps(int n, const float *x, int *out) {
    __shared__ int w[8];
    int t = threadIdx.x, c = 0;
#ifdef FAULT_1
    for (int i = t; i < n; i += 256) c += x[i] >= 0.5f;
#elif defined FAULT_2
    unsigned char few = 0;
    for (int i = t; i < n; i += 256) few += x[i] > 0.5f;
    c = few;
#else
    for (int i = t; i < n; i += 256) c += x[i] > 0.5f;
#endif
#ifdef FAULT_3
    c = __reduce_add_sync(0xffff, c);
#else
    c = __reduce_add_sync(0xffffffff, c);
#endif
#ifdef FAULT_4
    if (t % 32 == 0) w[t / 32] = c;
    if (t == 0) {
#else
    if (t % 32 == 0) w[t / 32] = c;
    __syncthreads();
    if (t == 0) {
#endif
        c = 0;
#ifdef FAULT_5
        for (int i = 0; i < 7; i++) c += w[i];
#elif defined FAULT_6
        for (int i = 0; i < 8; i++) c |= w[i];
#else
        for (int i = 0; i < 8; i++) c += w[i];
#endif
        *out = c;
    }
}
