// device 19
// control.c -- conditions, thresholds, conditional values, early continues.
#include "loops.h"

static void positive_only(void) { // parallel
#pragma scop
    for (int i = 0; i < N; i++)
        if (d[i] > 0.0f)
            a[i] += b[i] * c[i];
#pragma endscop
}
static void either(void) { // parallel
#pragma scop
    for (int i = 0; i < N; i++)
        if (a[i] > b[i])
            a[i] += b[i] * d[i];
        else
            b[i] += a[i] * c[i];
#pragma endscop
}
static void three_ways(void) { // parallel
#pragma scop
    for (int i = 0; i < N; i++) {
        if (a[i] < 0.0f)
            x[i] = b[i];
        else if (a[i] < 0.25f)
            x[i] = c[i];
        else {
            x[i] = d[i];
            e[i] = -e[i];
        }
    }
#pragma endscop
}
static void ternary(float limit) { // parallel
#pragma scop
    for (int i = 0; i < N; i++)
        a[i] = b[i] > limit ? limit : (b[i] < -limit ? -limit : b[i]);
#pragma endscop
}
static void by_index(int mid) { // parallel: the condition is about i
#pragma scop
    for (int i = 0; i < N; i++) {
        if (i < mid)
            a[i] = b[i];
        else
            a[i] = c[i];
    }
#pragma endscop
}
static void one_place(void) { // parallel: one turn is different
#pragma scop
    for (int i = 0; i < N; i++) {
        if (i == N / 2)
            a[i] = 0.0f;
        else if (i % 3 == 1)
            a[i] = b[i] - 1.0f;
        a[i] += 1.0f;
    }
#pragma endscop
}
static void invariant_condition(int how) { // parallel
#pragma scop
    for (int i = 0; i < N; i++)
        if (how > 0)
            a[i] = a[i] * 2.0f + b[i];
        else
            a[i] = c[i];
#pragma endscop
}
static void crossing(void) { // parallel in halves only: as one loop both halves meet
#pragma sculpt
    for (int i = 0; i < N; i++)
        a[i] = a[N - i - 1] + b[i];
}
static void crossing_half(int n) { // parallel: stops before the middle
#pragma scop
    for (int i = 0; i < n / 2; i++)
        a[i] = a[n - i - 1] + b[i];
#pragma endscop
}
static void swap_ends(int n) { // parallel
    float t;
#pragma scop
    for (int i = 0; i < n / 2; i++) {
        t = a[i];
        a[i] = a[n - 1 - i];
        a[n - 1 - i] = t;
    }
#pragma endscop
}
static void loads_behind_test(int n) { // parallel: x may only be read where the test holds
#pragma scop
    for (int i = 0; i < n; i++)
        if (i + 7 < n && b[i] > 0.1f)
            a[i] = x[i + 7];
#pragma endscop
}
static void skip_with_continue(void) { // parallel, if continue is taken; right anyhow
#pragma sculpt
    for (int i = 0; i < N; i++) {
        if (b[i] < 0.0f)
            continue;
        a[i] = sqrtf(b[i]);
    }
}
static void and_or(void) { // parallel
#pragma scop
    for (int i = 0; i < N; i++)
        if ((a[i] > 0.0f && b[i] > 0.0f) || !(c[i] > 0.0f))
            ii[i] = (ii[i] & 0xff) | 0x100;
#pragma endscop
}
static void conditional_temp(void) { // parallel: t is set in both arms
    float t;
#pragma scop
    for (int i = 0; i < N; i++) {
        if (a[i] > 0.25f)
            t = b[i];
        else
            t = c[i];
        d[i] = t * t;
    }
#pragma endscop
}
static float sometimes_set(void) { // serial: t keeps an old value where the test fails
    float t = 0.5f;
#pragma sculpt
    for (int i = 0; i < N; i++) {
        if (a[i] > 0.25f)
            t = b[i];
        d[i] = t;
    }
    return t;
}
static int first_that(void) { // break: host
    int at = -1;
#pragma sculpt
    for (int i = 0; i < N; i++)
        if (a[i] > 0.7f) {
            at = i;
            break;
        }
    return at;
}
static int last_that(void) { // the last place: serial, or a max reduction
    int at = -1;
#pragma sculpt
    for (int i = 0; i < N; i++)
        if (a[i] > 0.7f)
            at = i;
    return at;
}
static void guard_2d(void) { // parallel
#pragma scop
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++)
            if (i != j && i + j < M)
                aa[i][j] = bb[j][i];
            else if (i == j)
                aa[i][j] = 1.0f;
#pragma endscop
}
static void clamp_ints(int lo, int hi) { // parallel
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        int v = ii[i];
        if (v < lo)
            v = lo;
        if (v > hi)
            v = hi;
        ii[i] = v;
    }
}
static void empty_arm(void) { // parallel
#pragma scop
    for (int i = 0; i < N; i++) {
        if (b[i] > 0.0f) {
        } else {
            a[i] = 0.0f;
        }
    }
#pragma endscop
}

int main(void) {
    RUN(positive_only), RUN(either), RUN(three_ways), RUN(ternary, 0.2f), RUN(by_index, 123),
        RUN(by_index, -1), RUN(one_place);
    RUN(invariant_condition, 1), RUN(invariant_condition, 0), RUN(crossing), RUN(crossing_half, N),
        RUN(crossing_half, 99);
    RUN(swap_ends, N), RUN(swap_ends, 1), RUN(loads_behind_test, N), RUN(skip_with_continue), RUN(and_or);
    RUN(conditional_temp), VALUE(sometimes_set), COUNT(first_that), COUNT(last_that), RUN(guard_2d),
        RUN(clamp_ints, 100, 800);
    RUN(empty_arm);
    suite_use();
    return 0;
}
