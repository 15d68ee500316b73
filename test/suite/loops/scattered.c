// device 6
// scattered.c -- writes through an index array: parallel where a look at run time finds no index twice.
#include "loops.h"

static void scatter(void) { // ip is a permutation
#pragma scop
    for (int i = 0; i < N; i++)
        a[ip[i]] = b[i] * 2.0f;
#pragma endscop
}
static void scatter_add(const int *at, int n) { // at may be one, or name places twice: then in order
#pragma scop
    for (int i = 0; i < n; i++)
        a[at[i]] += b[i];
#pragma endscop
}
static void there_and_back(int times) { // two arrays, both by the same way
#pragma scop
    for (int t = 0; t < times; t++)
        for (int i = 0; i < N; i++) {
            a[ip[i]] = b[ip[i]] + c[i];
            b[ip[i]] = a[ip[i]] * 0.5f;
        }
#pragma endscop
}
static void rows_of(const int *at) {
#pragma scop
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++)
            aa[at[i]][j] = bb[i][j] - aa[at[i]][j];
#pragma endscop
}
static void read_otherwise(void) { // serial: a is read by its own numbers, too
#pragma scop
    for (int i = 0; i < N; i++)
        a[ip[i]] = a[i] + b[i];
#pragma endscop
}
static void then_read(void) { // not in the same loop: both are parallel
#pragma scop
    for (int i = 0; i < N; i++)
        a[ip[i]] = b[i] + 1.0f;
    for (int i = 0; i < N; i++)
        c[i] = a[i] * 2.0f;
#pragma endscop
}
static void own_index(void) { // serial: the index is written here
#pragma scop
    for (int i = 0; i < N; i++)
        ii[jp[i]] = ii[i] + 1;
#pragma endscop
}
static void counts(void) { // integers need no look: they may be added in any order
#pragma scop
    for (int i = 0; i < N; i++)
        ii[jp[i]] += ip[i];
#pragma endscop
}

int main(void) {
    int row[M], again[M];
    for (int i = 0; i < M; i++) row[i] = (i * 5 + 2) % M, again[i] = i / 2;
    RUN(scatter), RUN(scatter_add, ip, N), RUN(scatter_add, jp, N), RUN(scatter_add, jp, 1),
        RUN(scatter_add, ip, 0), RUN(there_and_back, 3);
    RUN(rows_of, row), RUN(rows_of, again), RUN(read_otherwise), RUN(then_read), RUN(own_index), RUN(counts);
    suite_use();
    return 0;
}
