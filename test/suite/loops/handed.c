// device 7
// handed.c -- scalars that hand a value on to the next iteration.
#include "loops.h"

static float three_deep(void) { // parallel
    float x = a[N - 1], y = a[N - 2], z = 1.0f;
#pragma scop
    for (int i = 0; i < N; i++) {
        b[i] = (a[i] + x + y + z) * 0.25f;
        z = y;
        y = x;
        x = a[i];
    }
#pragma endscop
    return x + 2.0f * y + 3.0f * z;
}
static float read_again(int n) { // parallel: downwards, and x is read behind its assignment too
    float x = 7.0f;
#pragma scop
    for (int i = n - 1; i >= 0; i--) {
        b[i] = a[i] + x;
        x = a[i] * 2.0f;
        c[i] = x;
    }
#pragma endscop
    return x;
}
static float either_way(void) { // parallel: strided, and in two arms
    float x = 7.0f;
#pragma scop
    for (int i = 2; i < N; i += 3) {
        b[i] = a[i] + x;
        if (a[i] > 0.5f)
            x = a[i] * 2.0f;
        else
            x = c[i];
    }
#pragma endscop
    return x;
}
static float one_way(void) { // serial: x keeps its value where the test fails
    float x = 7.0f;
#pragma scop
    for (int i = 0; i < N; i++) {
        b[i] = a[i] + x;
        if (a[i] > 0.5f) x = a[i];
    }
#pragma endscop
    return x;
}
static int by_index(void) { // parallel: a place that is read from memory
    int p = 3;
#pragma scop
    for (int i = 0; i < N; i++) {
        b[i] = a[p] + (float)p;
        p = ip[i];
    }
#pragma endscop
    return p;
}
static float on_the_way(void) { // parallel: computed in two statements, which stay two
    float t = 0.5f;
#pragma scop
    for (int i = 0; i < N; i++) {
        float s = b[i] * c[i], u = s + d[i];
        a[i] = u * t;
        t = u;
    }
#pragma endscop
    return t;
}
static void each_row(void) { // parallel in both loops
#pragma scop
    for (int r = 0; r < M; r++) {
        float x = aa[r][M - 1];
        for (int i = 0; i < M; i++) {
            bb[r][i] = aa[r][i] - x;
            x = aa[r][i];
        }
        b[r] = x;
    }
#pragma endscop
}
static void row_to_row(void) { // parallel inside: a row's last value is the next one's first
    float x = 1.0f;
#pragma scop
    for (int r = 0; r < M; r++)
        for (int i = 0; i < M; i++) {
            bb[r][i] = aa[r][i] - x;
            x = aa[r][i];
        }
#pragma endscop
}
static void written_here(void) { // serial: what is handed on was made of what came
    float x = 7.0f;
#pragma scop
    for (int i = 0; i < N; i++) {
        b[i] = a[i] + x;
        x = b[i];
    }
#pragma endscop
}

int main(void) {
    VALUE(three_deep), VALUE(read_again, N), VALUE(read_again, 1), VALUE(read_again, 0), VALUE(either_way),
        VALUE(one_way);
    COUNT(by_index), VALUE(on_the_way), RUN(each_row), RUN(row_to_row), RUN(written_here);
    suite_use();
    return 0;
}
