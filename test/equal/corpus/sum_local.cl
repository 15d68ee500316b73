// CHECK loops.c:sum_all --permit reassociate --where "n >= 1" --grid 1 --block 256 --kernel reduce
__kernel void reduce(__global const float *x, __global float *out, const int n) {
    __local float scratch[256];
    int lid = get_local_id(0);
    float acc = 0.0f;
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) acc += x[i];
    scratch[lid] = acc;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int off = get_local_size(0) / 2; off > 0; off >>= 1) {
        if (lid < off) scratch[lid] += scratch[lid + off];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0) out[0] = scratch[0];
}
