// CHECK loops.c:mixed_bits --grid "(n + 63) / 64" --block 64
// FAULTS 5
// Numbers of 64 bits without a sign: data have all of them.
__global__ void mixed_bits(int n, const unsigned long long *a, unsigned long long *o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
#ifdef FAULT_1
    long long x = a[i];
#else
    unsigned long long x = a[i];
#endif
#ifdef FAULT_2
    x ^= x >> 32;
#else
    x ^= x >> 33;
#endif
#ifdef FAULT_3
    x *= 0xff51afd7ed558ccfull;
#elif defined FAULT_4
    x *= 0xff51afd7u;
#else
    x *= 0xff51afd7ed558ccdull;
#endif
#ifdef FAULT_5
    o[i] = (unsigned)(x ^ (x >> 33));
#else
    o[i] = x ^ (x >> 33);
#endif
}
