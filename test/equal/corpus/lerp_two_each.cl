// CHECK loops.c:lerp --grid "(n + 255) / 256" --block 128
__kernel void lerp(__global const float *a, __global const float *b, __global float *c, float t, int n) {
    int i = get_group_id(0) * 256 + get_local_id(0);
    if (i < n) c[i] = a[i] + t * (b[i] - a[i]);
    i += 128;
    if (i < n) c[i] = a[i] + t * (b[i] - a[i]);
}
