// CHECK loops.c:segment_sum --grid "(n + 63) / 64" --block 64
__kernel void segment_sum(__global const int *start, __global const float *x, __global float *y, int n) {
    int i = get_global_id(0);
    if (i >= n) return;
    float s = 0.0f;
    int end = start[i + 1];
    for (int k = start[i]; k < end; k++) s += x[k];
    y[i] = s;
}
