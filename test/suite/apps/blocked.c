// device 1
// blocked.c -- a plate in square blocks, which know of eight kinds of border: many accesses in one loop.
#include "../suite.h"

enum { EDGE = 16, N = 4 * EDGE };
#define HERE old[y * n + x]
#define STEP(dy, dx) (old[(y + (dy)) * n + x + (dx)] - HERE)
#define ROOM (20.0f - HERE)

static void spread(int n, int m, float *now, const float *old, const float *heat, float k, float side,
                   float loss) {
    int across = n / EDGE, down = m / EDGE, b, x, y;
#pragma omp parallel for private(x, y)
    for (b = 0; b < across * down; b++) {
        int top = EDGE * (b / across), left = EDGE * (b % across), bottom = top + EDGE, right = left + EDGE;
        float gain;
        if (top == 0 || left == 0 || bottom == m || right == n) {
            for (y = top; y < bottom; y++)
                for (x = left; x < right; x++) {
                    if (y == 0 && x == 0) gain = STEP(0, 1) * side + STEP(1, 0) * k + ROOM * loss;
                    else if (y == 0 && x == n - 1)
                        gain = STEP(0, -1) * side + STEP(1, 0) * k + ROOM * loss;
                    else if (y == m - 1 && x == n - 1)
                        gain = STEP(0, -1) * side + STEP(-1, 0) * k + ROOM * loss;
                    else if (y == m - 1 && x == 0)
                        gain = STEP(0, 1) * side + STEP(-1, 0) * k + ROOM * loss;
                    else if (y == 0)
                        gain = (STEP(0, 1) + STEP(0, -1)) * side + STEP(1, 0) * k + ROOM * loss;
                    else if (x == n - 1)
                        gain = (STEP(1, 0) + STEP(-1, 0)) * k + STEP(0, -1) * side + ROOM * loss;
                    else if (y == m - 1)
                        gain = (STEP(0, 1) + STEP(0, -1)) * side + STEP(-1, 0) * k + ROOM * loss;
                    else if (x == 0)
                        gain = (STEP(1, 0) + STEP(-1, 0)) * k + STEP(0, 1) * side + ROOM * loss;
                    else gain = 0;
                    now[y * n + x] = HERE + (gain + heat[y * n + x]);
                }
            continue;
        }
        for (y = top; y < bottom; y++)
            for (x = left; x < right; x++)
                now[y * n + x] = HERE + ((STEP(1, 0) + STEP(-1, 0)) * k + (STEP(0, 1) + STEP(0, -1)) * side +
                                         ROOM * loss + heat[y * n + x]);
    }
}

static float plate[2][N * N], heat[N * N];
int main(void) {
    fill_floats(plate[0], N * N), fill_floats(heat, N * N);
    for (int k = 0; k < 4; k++) spread(N, N, plate[1 - k % 2], plate[k % 2], heat, 0.1f, 0.2f, 0.05f);
    show_floats("plate", plate[0], N * N);
    suite_use();
    return 0;
}
