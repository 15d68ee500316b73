// device 17
// linear.c -- one statement or a few, subscripts i + constant, steps other than one.
#include "loops.h"

static void shifted_copy(void) { // parallel
#pragma scop
    for (int i = 0; i < N; i++)
        a[i] = b[i] + 1.0f;
#pragma endscop
}
static void odd_from_even(void) { // parallel: writes odd places, reads even ones
#pragma scop
    for (int i = 1; i < N; i += 2)
        a[i] = a[i - 1] + b[i];
#pragma endscop
}
static void even_places(void) { // parallel
#pragma scop
    for (int i = 0; i < N / 2; i++)
        a[2 * i] = c[i] * b[i] + d[i] * b[i] + c[i] * c[i] + d[i] * b[i] + d[i] * c[i];
#pragma endscop
}
static void chain_up(void) { // serial: each needs the one before
#pragma sculpt
    for (int i = 1; i < N; i++)
        a[i] = a[i - 1] + b[i];
}
static void backwards_shift(void) { // parallel with a copy: read before it is overwritten
#pragma sculpt
    for (int i = N - 2; i >= 0; i--)
        a[i + 1] = a[i] + b[i];
}
static void halves(int h) { // parallel: h = N / 2 is not known, a guard decides
#pragma scop
    for (int i = 0; i < h; i++)
        a[i + h] = a[i] + b[i];
#pragma endscop
}
static void stride_three(int n) { // parallel
#pragma scop
    for (int i = 0; i < n; i += 3)
        a[i] = b[i] * c[i];
#pragma endscop
}
static void stride_symbolic(int first, int step) { // parallel
#pragma scop
    for (int i = first - 1; i < N; i += step)
        a[i] += b[i];
#pragma endscop
}
static void downwards(void) { // parallel
#pragma scop
    for (int i = N - 1; i >= 0; i--)
        a[i] = b[N - 1 - i] * 2.0f;
#pragma endscop
}
static void downwards_by_two(void) { // parallel
#pragma scop
    for (int i = N - 1; i > 0; i -= 2)
        a[i] = b[i] - c[i / 2];
#pragma endscop
}
static void two_statements(void) { // parallel: the second reads what the first wrote in this turn
#pragma scop
    for (int i = 0; i < N; i++) {
        a[i] = b[i] + c[i] * d[i];
        b[i] = c[i] + d[i] + a[i];
    }
#pragma endscop
}
static void reordered(void) { // parallel once the loops are split, the second first
#pragma scop
    for (int i = 0; i < N - 1; i++) {
        a[i] = b[i] * c[i];
        d[i] = a[i + 1] + e[i];
    }
#pragma endscop
}
static void split_forward(void) { // parallel once split
#pragma scop
    for (int i = 1; i < N; i++) {
        a[i] = b[i] + c[i];
        d[i] = a[i - 1] * e[i];
    }
#pragma endscop
}
static void partly_serial(void) { // the first statement alone is parallel
#pragma scop
    for (int i = 1; i < N; i++) {
        a[i] = d[i] * e[i] + c[i];
        b[i] = b[i - 1] * 0.5f + a[i];
    }
#pragma endscop
}
static void two_cycle(void) { // serial: a needs b, b needs a, one turn apart
#pragma sculpt
    for (int i = 1; i < N; i++) {
        a[i] = b[i - 1] + c[i];
        b[i] = a[i] * d[i];
    }
}
static void far_chain(void) { // serial as a loop: four chains side by side
#pragma sculpt
    for (int i = 4; i < N; i++)
        a[i] = a[i - 4] * 0.5f + b[i];
}
static void interior_only(void) { // parallel: reads above and below the written stretch
#pragma scop
    for (int i = 0; i < 100; i++)
        a[i + 200] = a[i] + a[i + 300];
#pragma endscop
}
static void middle(void) { // serial: the stretches overlap in the middle
#pragma sculpt
    for (int i = 0; i < 300; i++)
        a[i + 100] = a[i] + 1.0f;
}
static void last_wins(void) { // parallel over nothing: one place written by all
#pragma sculpt
    for (int i = 0; i < N; i++)
        a[7] = b[i];
}
static void invariant_read(void) { // parallel: place 0 is not written
#pragma scop
    for (int i = 1; i < N; i++)
        a[i] = a[0] + b[i];
#pragma endscop
}
static void scaled_in_place(float s) { // parallel
#pragma omp parallel for simd
    for (int i = 0; i < N; i++)
        a[i] *= s;
}
static void both_ends(void) { // parallel: writes even places from odd ones and the reverse side
#pragma scop
    for (int i = 0; i < N / 4; i++)
        a[2 * i] = a[N - 1 - 2 * i];
#pragma endscop
}

int main(void) {
    RUN(shifted_copy), RUN(odd_from_even), RUN(even_places), RUN(chain_up), RUN(backwards_shift),
        RUN(halves, N / 2);
    RUN(stride_three, N), RUN(stride_symbolic, 2, 5), RUN(downwards), RUN(downwards_by_two),
        RUN(two_statements);
    RUN(reordered), RUN(split_forward), RUN(partly_serial), RUN(two_cycle), RUN(far_chain),
        RUN(interior_only);
    RUN(middle), RUN(last_wins), RUN(invariant_read), RUN(scaled_in_place, 1.5f), RUN(both_ends),
        RUN(halves, 3);
    RUN(stride_three, 0), RUN(stride_three, 1);
    suite_use();
    return 0;
}
