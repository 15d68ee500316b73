// flags: -ffp-contract=off
// device 13
// rounded.c -- floats that doubles change: another order of sums is permitted, another precision is not.
#include "loops.h"
static double w[N];
static double s = 1.0 / 3 + 1e-9;

static void multiplied(void) {
#pragma sculpt reassociate
    for (int i = 0; i < N; i++) a[i] = (float)(a[i] * s);
}
static void updated(void) {
#pragma sculpt reassociate
    for (int i = 0; i < N; i++) a[i] *= s;
}
static void by_elements(void) {
#pragma sculpt reassociate
    for (int i = 0; i < N; i++) a[i] = a[i] * w[i];
}
static void added(void) {
#pragma sculpt reassociate
    for (int i = 0; i < N; i++) a[i] += w[i];
}
static void term_first(void) {
#pragma sculpt reassociate
    for (int i = 0; i < N; i++) a[i] = b[i] * 2.0 * w[i] + a[i];
}
static void subtracted(void) {
#pragma sculpt reassociate
    for (int i = 0; i < N; i++) a[i] -= w[i] * s;
}
static void of_an_iteration(void) {
#pragma sculpt reassociate
    for (int i = 0; i < N; i++) {
        float t = b[i];
        t += w[i];
        t *= w[N - 1 - i];
        a[i] = t;
    }
}
static void in_a_row(void) {
#pragma sculpt reassociate
    for (int i = 1; i < N / 2; i++)
        for (int j = 0; j < 2; j++) a[2 * i + j] = (float)(a[2 * i + j] + w[2 * i + j]);
}
static void conditional(void) {
#pragma sculpt reassociate
    for (int i = 0; i < N; i++)
        if (w[i] > 0.5) a[i] = (float)(w[i] * a[i]);
}
static void far_factors(void) { // a factor is no float, products are
    float p = 1e-30f;
#pragma sculpt reassociate
    for (int i = 0; i < 8; i++) p *= i % 2 ? 1e-45 : 1e45;
    a[0] = p;
}
static void summed(void) { // exact in any order and precision
    float t = 0;
#pragma sculpt reassociate
    for (int i = 0; i < N; i++) t += (i % 7) * 0.25;
    a[1] += t;
}
static void summed_rows(void) {
    memset(a, 0, sizeof a);
#pragma sculpt reassociate
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 16; j++) a[i] += j * 0.5;
}
static void counted(void) { // by a clause, and in double what is kept as float
    float t = 0;
#pragma omp parallel for reduction(+ : t)
    for (int i = 0; i < N; i++)
        if (b[i] > 0.25f) t += 1.0;
    a[2] += t;
}
static void less(void) {
    float t = 0;
#pragma omp parallel for reduction(- : t)
    for (int i = 0; i < N; i++) t -= (i % 5) * 0.5;
    a[3] += t;
}
static void bits(const char *name, void (*f)(void)) {
    unsigned all = 0, one;
    suite_state = 12345;
    fill_floats(a, N), fill_floats(b, N), fill_doubles(w, N);
    f();
    for (int i = 0; i < N; i++) memcpy(&one, &a[i], sizeof one), all = all * 31 + one;
    printf("%s x%08x\n", name, all);
}
#define BITS(f) bits(#f, f)

int main(void) {
    BITS(multiplied), BITS(updated), BITS(by_elements), BITS(added), BITS(term_first), BITS(subtracted);
    BITS(of_an_iteration), BITS(in_a_row), BITS(conditional);
    BITS(far_factors), BITS(summed), BITS(summed_rows), BITS(counted), BITS(less);
    suite_use();
    return 0;
}
