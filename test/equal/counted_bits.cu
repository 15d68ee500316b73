// CHECK loops.c:counted_bits --grid "(n + 63) / 64" --block 64
// FAULTS 5
// The device's functions of bits.
__global__ void counted_bits(int n, int by, const unsigned *a, unsigned *o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
#ifdef FAULT_1
    unsigned turned = __funnelshift_r(a[i], a[i], by);
#elif defined FAULT_2
    unsigned turned = (int)a[i] << (by & 31) | (int)a[i] >> (-by & 31);
#else
    unsigned turned = __funnelshift_l(a[i], a[i], by);
#endif
#ifdef FAULT_3
    unsigned high = __mulhi(turned, 2654435761u);
#else
    unsigned high = __umulhi(turned, 2654435761u);
#endif
#ifdef FAULT_4
    o[i] = __ffs(turned ^ a[i]) + high;
#elif defined FAULT_5
    o[i] = __popc(turned) + high;
#else
    o[i] = __popc(turned ^ a[i]) + high;
#endif
}
