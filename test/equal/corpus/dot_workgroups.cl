// CHECK loops.c:dot1 --permit reassociate --grid 1 --block 256 --shared 1024
__kernel void dot(const int n, __global const float *a, __global const float *b, __global float *out, __local float *scratch) {
    int lid = get_local_id(0);
    float acc = 0.0f;
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) acc = fma(a[i], b[i], acc);
    scratch[lid] = acc;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int off = get_local_size(0) >> 1; off > 0; off >>= 1) {
        if (lid < off) scratch[lid] += scratch[lid + off];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0) out[get_group_id(0)] = scratch[0];
}
