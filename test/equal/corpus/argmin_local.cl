// CHECK loops.c:iargmin --where "n >= 1" --grid 1 --block 128
__kernel void argmin(int n, __global const int *x, __global int *at_out) {
    __local int v[128];
    __local int p[128];
    int t = get_local_id(0);
    int best = INT_MAX, at = 0;
    for (int i = t; i < n; i += 128)
        if (x[i] < best) { best = x[i]; at = i; }
    v[t] = best;
    p[t] = at;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 64; s > 0; s >>= 1) {
        if (t < s) {
            int a = v[t], b = v[t + s];
            if (b < a || (b == a && p[t + s] < p[t])) { v[t] = b; p[t] = p[t + s]; }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0) at_out[0] = p[0];
}
