// CHECK loops.c:rowsum --permit reassociate --grid n --block 64 --where "m == 64"
__kernel void row_sum(__global const float *x, __global float *y, const int n, const int m) {
    __local float buf[64];
    int lid = get_local_id(0);
    int row = get_group_id(0);
    event_t e = async_work_group_copy(buf, x + row * m, 64, 0);
    wait_group_events(1, &e);
    for (int s = get_local_size(0) / 2; s > 0; s >>= 1) {
        if (lid < s) buf[lid] += buf[lid + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0) y[row] = buf[0];
}
