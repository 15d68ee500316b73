// CHECK loops.c:blur5 --grid "(w + 15) / 16, (h + 15) / 16" --block 16,16 --where "w >= 5 && h >= 5"
#define R 2
#define T 16
__kernel void blur(__global const float *x, __global float *y, int w, int h) {
    __local float tile[T + 2 * R][T + 2 * R];
    int lx = get_local_id(0), ly = get_local_id(1);
    int bx = get_group_id(0) * T - R, by = get_group_id(1) * T - R;
    for (int i = ly; i < T + 2 * R; i += T)
        for (int j = lx; j < T + 2 * R; j += T) {
            int gx = clamp(bx + j, 0, w - 1), gy = clamp(by + i, 0, h - 1);
            tile[i][j] = x[gy * w + gx];
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    int gx = get_global_id(0), gy = get_global_id(1);
    if (gx < R || gy < R || gx >= w - R || gy >= h - R) return;
    float s = 0.0f;
    for (int a = 0; a <= 2 * R; a++)
        for (int b = 0; b <= 2 * R; b++) s += tile[ly + a][lx + b];
    y[gy * w + gx] = s / 25.0f;
}
