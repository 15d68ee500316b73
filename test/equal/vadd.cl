// CHECK loops.c:vadd --grid "(n + 63) / 64" --block 64
// FAULTS 5
__kernel void vadd(const int n, __global const float *a, __global const float *b, __global float *c) {
#if defined FAULT_1
    const int i = get_local_id(0);
#else
    const int i = get_global_id(0);
#endif
#if defined FAULT_2
    if (i < n + 1)
#elif defined FAULT_3
    if (i > 0 && i < n)
#else
    if (i < n)
#endif
#if defined FAULT_4
        c[i] = a[i] - b[i];
#elif defined FAULT_5
        c[i] = a[i] + b[n - 1 - i];
#else
        c[i] = a[i] + b[i];
#endif
}
