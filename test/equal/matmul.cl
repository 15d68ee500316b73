// CHECK loops.c:matmul --grid "(n + 7) / 8, (n + 7) / 8" --block 8,8
// FAULTS 5
__kernel void matmul(__global const float *a, __global const float *b, __global float *c, int n) {
    __local float sa[8][8], sb[8][8];
    int lx = get_local_id(0), ly = get_local_id(1);
    int x = get_global_id(0), y = get_global_id(1);
    float s = 0.0f;
#ifdef FAULT_1
    for (int t = 0; t <= n / 8; t++) {
        sa[ly][lx] = a[min(y, n - 1) * n + min(t * 8 + lx, n - 1)];
        sb[ly][lx] = b[min(t * 8 + ly, n - 1) * n + min(x, n - 1)];
#else
    for (int t = 0; t < (n + 7) / 8; t++) {
        int ka = t * 8 + lx, kb = t * 8 + ly;
        sa[ly][lx] = (y < n && ka < n) ? a[y * n + ka] : 0.0f;
        sb[ly][lx] = (kb < n && x < n) ? b[kb * n + x] : 0.0f;
#endif
#ifndef FAULT_2
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
#ifdef FAULT_3
        for (int k = 0; k < 8; k++) s = mad(sa[k][ly], sb[k][lx], s);
#else
        for (int k = 0; k < 8; k++) s = mad(sa[ly][k], sb[k][lx], s);
#endif
#ifndef FAULT_4
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
    }
#ifdef FAULT_5
    if (x < n) c[y * n + x] = s;
#else
    if (x < n && y < n) c[y * n + x] = s;
#endif
}
