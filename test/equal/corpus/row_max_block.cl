// CHECK loops.c:row_max --grid n --block 64
__kernel void row_max(__global const float *x, __global float *y, int m) {
    __local float s[64];
    int t = get_local_id(0), row = get_group_id(0);
    float v = -INFINITY;
    for (int j = t; j < m; j += 64) v = fmax(v, x[row * m + j]);
    s[t] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 32; k > 0; k >>= 1) {
        if (t < k) s[t] = fmax(s[t], s[t + k]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0) y[row] = s[0];
}
