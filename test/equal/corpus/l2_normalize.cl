// CHECK loops.c:l2_normalize --permit reassociate --grid n --block 64
__kernel void l2(__global const float *x, __global float *y, int m) {
    __local float s[64];
    int t = get_local_id(0), base = get_group_id(0) * m;
    float acc = 0.0f;
    for (int j = t; j < m; j += 64) acc += x[base + j] * x[base + j];
    s[t] = acc;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 32; k > 0; k >>= 1) {
        if (t < k) s[t] += s[t + k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    float norm = sqrt(s[0]);
    for (int j = t; j < m; j += 64) y[base + j] = x[base + j] / norm;
}
