// device 9
// bracketed.c -- loops whose heads or ends lie in macros; metadirectives; omp loop in a team.
#include "loops.h"
#define FOR(i, n) for (int i = 0; i < (n); i++) {
#define END }
#define END_BOTH } }
#define SHARED_FOR(i, n) _Pragma("omp parallel for") FOR(i, n)

static void head_and_end(int n) {
#pragma omp parallel for
    FOR(i, n)
        a[i] = b[i] * 2 + __LINE__;
    END
}
static void end_alone(int n) {
#pragma sculpt
    for (int i = 0; i < n; i++) {
        c[i] = a[i] - b[i];
    END
}
static void two_ends(int n) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            aa[i][j] = bb[j][i] * 3;
    END_BOTH
}
static void with_its_mark(int n) {
    SHARED_FOR(i, n)
        a[i] += c[i];
    END
}
static float in_one_line(int n) {
    float s = 0;
#pragma omp parallel for reduction(max : s)
    FOR(i, n) if (a[i] > s) { s = a[i]; } END
    return s;
}
static void first_of_two(int n) {
#pragma omp metadirective when(device = {kind(gpu)} : target teams distribute parallel for)                  \
    default(parallel for)
    for (int i = 0; i < n; i++) c[i] = b[i] * 5;
}
static void several(int n) {
#pragma omp metadirective when(user = {condition(n > 5)} : parallel for simd)                                \
    when(implementation = {vendor(gnu)} : parallel for) otherwise(parallel loop)
    for (int i = 0; i < n; i++) a[i] = c[i] + 1;
}
static void of_a_team(int n) {
#pragma omp parallel
    {
#pragma omp loop bind(parallel)
        for (int i = 0; i < n; i++) a[i] = b[i] * 0.25f;
#pragma omp loop
        for (int i = 0; i < n; i++) c[i] = a[n - 1 - i] + 1;
    }
}

int main(void) {
    static const int sizes[] = {0, 1, 7, 33, N};
    for (int k = 0; k < 5; k++) {
        int n = sizes[k];
        loops_reset();
        head_and_end(n);
        end_alone(n);
        two_ends(n < M ? n : M);
        with_its_mark(n);
        printf("%.4e\n", in_one_line(n));
        loops_show("ends");
        first_of_two(n);
        several(n);
        loops_show("variants");
        of_a_team(n);
        loops_show("team");
    }
    return 0;
}
