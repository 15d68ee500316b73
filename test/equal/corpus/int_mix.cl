// CHECK loops.c:int_mix --grid "(n + 63) / 64" --block 64
__kernel void int_mix(__global const int *a, __global const int *b, __global int *c, int n) {
    size_t i = get_global_id(0);
    if (i < n) c[i] = (a[i] & b[i]) ^ (a[i] << 2);
}
