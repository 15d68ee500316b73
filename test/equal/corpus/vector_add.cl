// CHECK loops.c:vector_add --grid "(n + 63) / 64" --block 64
__kernel void vector_add(__global const float *a, __global const float *b, __global float *c, const unsigned int n) {
    unsigned int id = get_global_id(0);
    if (id < n) c[id] = a[id] + b[id];
}
