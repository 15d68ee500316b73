// CHECK loops.c:dot --permit reassociate --grid 1 --block 128
__kernel void dot(__global const float *a, __global const float *b, __global float *out, int n) {
    __local float s[128];
    int l = get_local_id(0);
    float acc = 0.0f;
    for (int i = l; i < n; i += get_local_size(0)) acc = mad(a[i], b[i], acc);
    s[l] = acc;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 64; k > 0; k >>= 1) {
        if (l < k) s[l] += s[l + k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) out[0] = s[0];
}
