// device 9
// overwritten.c -- loops that read what a later iteration overwrites, and nothing that an earlier one wrote.
#include "loops.h"

static void shift(int n) { // parallel with a copy of a
#pragma scop
    for (int i = 0; i < n - 1; i++)
        a[i] = a[i + 1] + b[i];
#pragma endscop
}
static void shift_down(int n) { // downwards, by three
#pragma scop
    for (int i = n - 1; i >= 3; i--)
        a[i] = a[i - 3] * 0.5f + a[i];
#pragma endscop
}
static void both_ends(void) { // some reads see old values, others what the same turn wrote
#pragma scop
    for (int i = 1; i < N - 1; i++) {
        a[i] = b[i] + c[i];
        d[i] = a[i] * a[i + 1];
        b[i] = d[i] - b[i + 1];
    }
#pragma endscop
}
static void in_groups(void) { // a alone needs a copy; the rest follows
#pragma scop
    for (int i = 1; i < N - 1; i++) {
        a[i] = a[i + 1] + b[i];
        c[i] = a[i - 1] + a[i];
    }
#pragma endscop
}
static void up_and_left(int times) { // in both loops, below one of the host
#pragma scop
    for (int t = 0; t < times; t++)
        for (int i = 0; i < M - 1; i++)
            for (int j = 0; j < M - 1; j++)
                aa[i][j] = (aa[i + 1][j] + aa[i][j + 1] + aa[i + 1][j + 1]) * 0.3f;
#pragma endscop
}
static void row_below(void) { // columns are parallel as they are
#pragma scop
    for (int i = 0; i < M - 1; i++)
        for (int j = 0; j < M; j++)
            aa[i][j] = aa[i + 1][j] + bb[i][j];
#pragma endscop
}
static void under_a_test(void) {
#pragma scop
    for (int i = 0; i < N - 1; i++)
        if (a[i + 1] > 0.25f) a[i] = a[i + 1] - b[i];
#pragma endscop
}
static void wedge(void) { // rows of a triangle, each moved by one
#pragma scop
    for (int i = 0; i < M - 1; i++)
        for (int j = 0; j < i; j++)
            aa[i][j] = aa[i][j + 1] * bb[i][j];
#pragma endscop
}
static void update(void) {
#pragma scop
    for (int i = 0; i < N - 1; i++)
        a[i] += a[i + 1] * 0.5f;
#pragma endscop
}
static void seidel(void) { // serial: reads the new one, too
#pragma scop
    for (int i = 1; i < N - 1; i++)
        a[i] = (a[i - 1] + a[i + 1]) * 0.5f;
#pragma endscop
}
static void by_data(void) { // serial: which is read, only ip knows
#pragma scop
    for (int i = 0; i < N; i++)
        a[i] = a[ip[i]] + b[i];
#pragma endscop
}

int main(void) {
    RUN(shift, N), RUN(shift, 2), RUN(shift, 1), RUN(shift, 0), RUN(shift_down, N), RUN(shift_down, 2),
        RUN(both_ends), RUN(in_groups);
    RUN(up_and_left, 3), RUN(up_and_left, 0), RUN(row_below), RUN(under_a_test), RUN(wedge), RUN(update),
        RUN(seidel), RUN(by_data);
    suite_use();
    return 0;
}
