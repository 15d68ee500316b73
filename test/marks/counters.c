// device 1

// remark 16:5 this loop never ends
// remark 21:5 this loop never ends
// remark 26:5 this loop never ends
// remark 31:21 the condition must compare the counter
// remark 36:21 the condition must compare the counter with an integer bound
// remark 41:5 stays on the host: a counter or a difference of unsigned numbers
// remark 47:5 and the counter must not wrap around
// remark 76:5 the loop counts beyond 2^63 - 1
// remark 52:26 arithmetic on an unsigned counter
// counters.c -- counters whose loops end by wrapping around, or never.
#include <limits.h>
void all_values(unsigned char lo, int *a) {
#pragma sculpt
    for (unsigned char i = lo; i <= 255; i++)
        a[i] = 1;
}
void not_below(unsigned n, int *a) {
#pragma sculpt
    for (unsigned i = n; i >= 0; i--)
        a[i] = 1;
}
void last_value(unsigned lo, int *a) {
#pragma sculpt
    for (unsigned i = lo; i <= UINT_MAX; i++)
        a[i] = 1;
}
void cut(int n, int *a) {
#pragma sculpt
    for (int i = 0; (char)i < n; i++)
        a[i] = 1;
}
void compared_in_float(int n, float x, int *a) {
#pragma sculpt
    for (int i = 0; i < x; i++)
        a[i] = 1;
}
void met_in_memory(int n, const unsigned *row, int *a) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (unsigned k = row[i]; k != row[i + 1]; k++)
            a[i] += k;
}
void any_step_down(unsigned n, unsigned by, int *a) {
#pragma sculpt
    for (unsigned i = n; i > 0; i -= by)
        a[i] = 1;
}
void below_zero(unsigned n, unsigned m, int *a) {
#pragma sculpt
    for (unsigned i = 0; i - m < n; i++)
        a[i] = 1;
}
void down(unsigned n, int *a) {
#pragma sculpt
    for (unsigned i = n; i-- > 0;)
        a[i] = 1;
}
void never_runs(int *a) {
#pragma omp parallel for
    for (int i = 0; i < 0; i++)
        a[i] = 1;
}
// remark 62:5 stays on the host: its loops have no iterations [SC0305]
void shrinks(int *n, int *a) {
#pragma sculpt
    for (int i = 0; i < *n; i++) {
        a[i] = 1;
        --*n;
    }
}
// remark 70:9 the loop changes what its bound is computed from
void but_the_last(unsigned long lo, int *a) { // it ends
#pragma sculpt
    for (unsigned long i = lo; i <= ULONG_MAX - 1; i++)
        a[i - lo] = 1;
}
