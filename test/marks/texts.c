// texts.c -- what is said is true of the text that it is said of.
#include <signal.h>
#include <string.h>
// The form that would be a reduction stands here, but sets something else.
double with_place(int n, const double *a, int *out) {
    double m = 1e9;
    int at = n;
#pragma omp parallel for reduction(min : m) reduction(min : at)
    for (int i = 0; i < n; i++)
        if (a[i] < m) { m = a[i] / 2, at = i; }
    *out = at;
    return m;
}
// Loops inside of one whose mark is not kept: the mark has its clause, and what it lacks is said of it.
double rows(int n, double **a, const int *len) {
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < len[i]; j++) sum += a[len[j]][i];
    return sum;
}
void copied_counter(int n, char *b) {
#pragma sculpt
    for (int k = 0; k < n; k++) memcpy(b + 4 * k, &k, 4);
}
void changed_counter(int n, int *b) {
#pragma sculpt
    for (int k = 0; k < n; k++) b[k] = k++;
}
static volatile sig_atomic_t stop;
static volatile int flag;
void flags(int n, int *v) {
#pragma sculpt
    for (int i = 0; i < n; i++) v[i] = flag + stop;
}
void scattered(int n, float *f, const int *p) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) f[p[i]] = 2 * i;
}
void same(int n, float *a) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) a[n] = 2 * i;
}
// device 1
// remarks 7
// warnings 1
// remark 9:5 what loop i does with m at line 10 is not seen to be the reduction that its mark names
// remark 9:5 'if (e < m) m = e;' with nothing else in it
// remark 19:49 which rows of 'a' the loop uses can't be told
// remark 24:5 the address of the counter 'k' is taken inside the loop
// remark 28:5 the counter 'k' is changed inside the loop
// remark 34:40 'volatile int' is volatile
// remark 37:1 whether f[p[i]] is the same element in different iterations
// warning 41:1 iterations of loop i set the same a[n] at line 42
// says blocks of 256 threads
// says blocks, each by one thread
