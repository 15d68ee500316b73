// CHECK loops.c:matvec_rows --permit reassociate --where 'n % 4 == 0' --grid m --block 64 --arg part=64
__kernel void gemv(int m, int n, __global const float *restrict A, __global const float *restrict x, __global float *restrict y, __local float *part) {
    int row = get_group_id(0), l = get_local_id(0);
    float4 s = (float4)(0.0f);
    for (int j = l; j < n / 4; j += get_local_size(0))
        s += vload4(j, A + row * n) * vload4(j, x);
    part[l] = s.x + s.y + s.z + s.w;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int o = get_local_size(0) / 2; o > 0; o >>= 1) {
        if (l < o) part[l] += part[l + o];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) y[row] = part[0];
}
