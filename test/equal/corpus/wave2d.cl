// CHECK loops.c:wave2d --grid "(w + 15) / 16, (h + 15) / 16" --block 16,16
__kernel void wave(__global const float *cur, __global const float *old, __global float *next, float c, int h, int w) {
    int j = get_global_id(0), i = get_global_id(1);
    if (i < 1 || i >= h - 1 || j < 1 || j >= w - 1) return;
    int at = i * w + j;
    float lap = cur[at - w] + cur[at + w] + cur[at - 1] + cur[at + 1] - 4.0f * cur[at];
    next[at] = 2.0f * cur[at] - old[at] + c * lap;
}
