// CHECK loops.c:prefix_rows_before --grid n --block 128
__kernel void excl(__global const int *x, __global int *y, int n) {
    __local int a[128], b[128];
    int t = get_local_id(0), g = get_group_id(0) * 128 + t;
    a[t] = x[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int o = 1; o < 128; o *= 2) {
        b[t] = t < o ? a[t] : a[t] + a[t - o];
        barrier(CLK_LOCAL_MEM_FENCE);
        a[t] = b[t];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    y[g] = t ? a[t - 1] : 0;
}
