// CHECK loops.c:gained --grid "(n + 255) / 256" --block 256
// FAULTS 5
// A number that decides nothing but values is tried below zero, too.
__global__ void gained(int n, int gain, const unsigned char *a, unsigned char *o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
#ifdef FAULT_1
    int v = a[i] * gain >> 4;
#elif defined FAULT_2
    int v = a[i] * abs(gain) / 16;
#elif defined FAULT_3
    unsigned v = a[i] * gain / 16u;
#else
    int v = a[i] * gain / 16;
#endif
#ifdef FAULT_4
    v = max(v, 0);
#endif
#ifdef FAULT_5
    o[i] = (unsigned char)v;
#else
    o[i] = (unsigned char)(v > 255 ? 255 : v);
#endif
}
