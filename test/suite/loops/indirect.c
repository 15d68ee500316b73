// device 15
// indirect.c -- subscripts read from arrays; symbolic distances that a guard decides.
#include "loops.h"

static void gather(void) { // parallel
#pragma scop
    for (int i = 0; i < N; i++)
        a[i] = b[ip[i]] + c[i];
#pragma endscop
}
static void gather_two(void) { // parallel
#pragma scop
    for (int i = 0; i < N; i++)
        a[i] = b[ip[i]] * c[jp[i]];
#pragma endscop
}
static void gather_of_gather(void) { // parallel
#pragma scop
    for (int i = 0; i < N; i++)
        a[i] = b[ip[jp[i]]];
#pragma endscop
}
static void scatter_asserted(void) { // the mark is the user's word: ip is a permutation
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        a[ip[i]] = b[i] + c[i];
}
static void scatter_independent(void) { // the same in other words
#pragma acc parallel loop independent
    for (int i = 0; i < N; i++)
        a[ip[i]] = b[i] - c[i];
}
static void scatter_plain(void) { // a look at run time: jp has values twice, host
#pragma scop
    for (int i = 0; i < N; i++)
        a[jp[i]] = b[i];
#pragma endscop
}
// float updates keep their order, where a look finds a value twice: host
static void scatter_add_floats(void) {
#pragma scop
    for (int i = 0; i < N; i++)
        a[jp[i]] += b[i];
#pragma endscop
}
static void count_places(void) { // parallel: integer updates in any order
#pragma scop
    for (int i = 0; i < N; i++)
        ii[jp[i]]++;
#pragma endscop
}
static void count_atomic(void) { // parallel: asserted and atomic
#pragma omp parallel for
    for (int i = 0; i < N; i++)
#pragma omp atomic
        ii[jp[i] / 2] += i;
}
static void gather_in_place(void) { // serial: whether a[ip[i]] is an old or a new one depends on ip
#pragma sculpt
    for (int i = 0; i < N; i++)
        a[i] = a[ip[i]] + b[i];
}
static void distance(int m) { // parallel when m is 0, negative or large
#pragma scop
    for (int i = 0; i < 200; i++)
        a[i + 200] = a[i + 200 + m] + b[i];
#pragma endscop
}
static void two_distances(int m, int k) { // parallel under a guard
#pragma scop
    for (int i = 0; i < 100; i++)
        a[i + m] = a[i + k] * 0.5f;
#pragma endscop
}
static void start_anywhere(int lo, int hi) { // parallel
#pragma scop
    for (int i = lo; i < hi; i++)
        a[i] = b[i - lo] + c[hi - 1 - i];
#pragma endscop
}
static void table_lookup(void) { // parallel
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        a[i] = flat[(int)(b[i] * 100.0f) + 30];
}
static void rows_of_lengths(void) { // parallel over rows
    static int from[M + 1];
    for (int i = 0; i <= M; i++) from[i] = i * (i + 1) / 3;
#pragma scop
    for (int i = 0; i < M; i++) {
        float s = 0;
        for (int j = from[i]; j < from[i + 1]; j++)
            s += a[j] * b[jp[j]];
        c[i] = s;
    }
#pragma endscop
}
static void gather_rows(void) { // parallel
#pragma omp parallel for collapse(2)
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++)
            aa[i][j] = bb[ip[i] % M][j];
}

int main(void) {
    RUN(gather), RUN(gather_two), RUN(gather_of_gather), RUN(scatter_asserted), RUN(scatter_independent),
        RUN(scatter_plain);
    RUN(scatter_add_floats), RUN(count_places), RUN(count_atomic), RUN(gather_in_place);
    RUN(distance, 0), RUN(distance, 1), RUN(distance, -1), RUN(distance, -200), RUN(distance, -150),
        RUN(distance, 100);
    RUN(two_distances, 0, 100), RUN(two_distances, 0, 50), RUN(two_distances, 7, 7),
        RUN(two_distances, 50, 0);
    RUN(start_anywhere, 10, 400), RUN(start_anywhere, 10, 10), RUN(start_anywhere, 10, 5), RUN(table_lookup);
    RUN(rows_of_lengths), RUN(gather_rows);
    suite_use();
    return 0;
}
