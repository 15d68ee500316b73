// device 13
// ends.c -- arrays between pages that can't be read, or not be written: nothing that the loops
// leave alone is touched, though boxes around what they touch would reach there.
#include "../suite.h"
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

// n doubles in front of a page, or behind one, with the given rights.
static double *fenced(int n, int prot, int behind) {
    size_t page = sysconf(_SC_PAGESIZE), bytes = n * sizeof(double), room = (bytes + page - 1) / page * page;
    char *p = mmap(NULL, room + 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(p, page, prot), mprotect(p + page + room, page, prot);
    double *x = (double *)(behind ? p + page : p + page + room - bytes);
    for (int i = 0; i < n; i++) x[i] = (i * 37 + 11) % 64 * 0.25;
    return x;
}

static void five(int n, int m, double *o, const double *a) { // no corner is touched
#pragma scop
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            o[i * m + j] = a[i * m + j - 1] + a[i * m + j + 1] + a[(i - 1) * m + j] + a[(i + 1) * m + j];
#pragma endscop
}
static void border(int n, int m, double *a) { // in place, from the first row and column
#pragma scop
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) a[i * m + j] = 0.25 * (a[i * m + j] + a[i * m] + a[j]);
#pragma endscop
}
static void corner(int n, double *a) { // rows get shorter: the last has one element
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n - i; j++) a[i * n + j] = a[i * n + j] * 0.5 + 1;
#pragma endscop
}
static void spill(int n, int m, double *a) { // the last of a row reads the first of the next
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int c = i * m + j;
            a[c] = a[c] * 0.5 + a[j == m - 1 ? c + 1 : c];
        }
#pragma endscop
}
static void edges(int n, double *o, const double *a) { // neighbours where there are some
#pragma scop
    for (int i = 0; i < n; i++) o[i] = i == 0 || i == n - 1 ? a[i] : 0.5 * (a[i - 1] + a[i + 1]);
#pragma endscop
}
static void halves(int n, int h, double *a) { // in place, under a condition inside the expression
#pragma scop
    for (int i = 0; i < h; i++) a[i] = h + i < n ? a[i] - a[h + i] : a[i] + 1;
#pragma endscop
}
static void shifted(int n, double *o, const double *a, const double *x) { // part of the condition is about i
#pragma scop
    for (int i = 0; i < n; i++)
        if (i + 7 < n && a[i] > 2) o[i] = x[i + 7];
#pragma endscop
}
static void masked(int n, double *o, const double *mask) { // the data tell how far o reaches
#pragma scop
    for (int i = 0; i < n; i++)
        if (mask[i] > 0) o[i] = o[i] * 2 + i;
#pragma endscop
}
static void picked(int n, double *o, const double *mask, const double *x) { // and x, which is read
#pragma scop
    for (int i = 0; i < n; i++) o[i] = mask[i] > 0 ? x[i] : -1;
#pragma endscop
}
static void twice(int n, double *o, const double *mask) { // two kernels on what stays on the device
#pragma sculpt data
    {
#pragma sculpt
        for (int i = 0; i < n; i++)
            if (mask[i] > 0) o[i] += 1;
#pragma sculpt
        for (int i = 0; i < n; i++)
            if (mask[i] > 0) o[i] *= 3;
    }
}
static void gather(int n, int m, double *o, const int *at, const double *a) { // a column of chosen rows
#pragma scop
    for (int i = 0; i < n; i++) o[i] = a[at[i] * m + i];
#pragma endscop
}
static void jagged(int n, double **a) { // rows of their own, each as long as it is used
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) a[i][j] = a[i][j] * 0.5 + j;
#pragma endscop
}

static void all(int prot, int behind) {
    enum { N = 31, M = 45 };
    double *o = fenced(N * M, prot, behind), *a;
    // The first that is touched is [0][1], the last [N - 1][M - 2].
    five(N, M, o, fenced(N * M - 2, prot, behind) - 1), show_doubles("five", o, N * M);
    a = fenced(N * M - 1, prot, behind) - 1;
    border(N, M, a), show_doubles("border", a + 1, N * M - 1);
    a = fenced(N * N - N + 1, prot, behind);
    corner(N, a), show_doubles("corner", a, N * N - N + 1);
    a = fenced(N * M + 1, prot, behind);
    spill(N, M, a), show_doubles("spill", a, N * M + 1);
    a = fenced(N, prot, behind);
    edges(N, o, a), show_doubles("edges", o, N);
    halves(N, N / 2 + 1, a), show_doubles("halves", a, N);
    double *mask = fenced(N + M, PROT_NONE, behind);
    shifted(N, o, mask, fenced(N - 7, prot, behind) - 7), show_doubles("shifted", o, N);
    for (int i = 0; i < N + M; i++) mask[i] = i % 3 && i >= 5 && i < N;
    a = fenced(N - 5, prot, behind) - 5;
    masked(N + M, a, mask), show_doubles("masked", a + 5, N - 5);
    picked(N + M, o, mask, a), show_doubles("picked", o, N + M);
    twice(N + M, a, mask), show_doubles("twice", a + 5, N - 5);
    int at[N];
    for (int i = 0; i < N; i++) at[i] = (i * 7 + 3) % 11;
    at[2] = 11;
    gather(N, M, o, at, fenced(11 * M + 3, prot, behind)), show_doubles("gather", o, N);
    // Behind each row lies what the loops leave alone, in the next row's pitch.
    double *rows[4], *pool = fenced(4 * 6 - 2, prot, behind);
    for (int i = 0; i < 4; i++) rows[i] = pool + 6 * i;
    jagged(4, rows), show_doubles("jagged", pool, 4 * 6 - 2);
}

int main(void) {
    for (int behind = 0; behind < 2; behind++) all(PROT_NONE, behind), all(PROT_READ, behind);
    return 0;
}
