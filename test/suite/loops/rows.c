// device 18
// rows.c -- pointers to rows whose neighbours a condition guards, or whose columns the data choose: every
// subscript stays in its row, though nothing but the conditions and the data say so. Rows stand against pages
// that nobody may touch, before and behind.
#define _GNU_SOURCE
#include "../suite.h"
#include <sys/mman.h>

enum { PAGE = 4096, STEPS = 9 };
static char *room(long bytes, int behind) {
    long whole = (bytes + PAGE - 1) / PAGE * PAGE;
    int how = MAP_PRIVATE | MAP_ANONYMOUS;
    char *p = mmap(NULL, (size_t)whole + 2 * PAGE, PROT_READ | PROT_WRITE, how, -1, 0);
    if (p == MAP_FAILED || mprotect(p, PAGE, PROT_NONE)) exit(1);
    if (mprotect(p + PAGE + whole, PAGE, PROT_NONE)) exit(1);
    return behind ? p + PAGE + whole - bytes : p + PAGE;
}

static void chosen_neighbours(int n, int (*a)[n]) {
#pragma sculpt
    for (int t = 1; t < STEPS; t++)
        for (int i = 0; i < n; i++)
            a[t][i] = a[t - 1][i] + (i > 0 ? a[t - 1][i - 1] : 0) + (i < n - 1 ? a[t - 1][i + 1] : 5);
}
static void as_far_as_the_step(int n, int (*a)[n]) {
#pragma sculpt
    for (int t = 1; t < STEPS; t++)
        for (int i = 0; i < n; i++) a[t][i] = a[t - 1][i] + (i >= t * 3 ? a[t - 1][i - t * 3] : 1) % 1000;
}
static void five_points(int n, int m, int (*a)[n], int (*b)[n]) {
#pragma omp parallel for
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            b[i][j] = a[i][j] * 4 - (i > 0 ? a[i - 1][j] : 0) - (i < m - 1 ? a[i + 1][j] : 0) -
                      (j > 0 ? a[i][j - 1] : 0) - (j < n - 1 ? a[i][j + 1] : 0);
}
static void knapsack(int n, int (*a)[n], const int *weight, const int *worth) {
#pragma sculpt
    for (int k = 1; k < STEPS; k++)
        for (int w = 0; w < n; w++) {
            a[k][w] = a[k - 1][w];
            if (w >= weight[k - 1] && a[k - 1][w - weight[k - 1]] + worth[k - 1] > a[k][w])
                a[k][w] = a[k - 1][w - weight[k - 1]] + worth[k - 1];
        }
}
static void changing_shift(int n, int (*a)[n]) {
#pragma sculpt
    for (int t = 1; t < STEPS; t++)
        for (int i = 0; i < n; i++) {
            int s = t * t % 50;
            a[t][i] = a[t - 1][i];
            if (i >= s) a[t][i] += a[t - 1][i - s] & 15;
        }
}
static void gathered(int n, int (*a)[n], const int *at) {
#pragma sculpt
    for (int t = 1; t < STEPS; t++)
        for (int i = 0; i < n; i++) a[t][i] = a[t - 1][at[i]] + a[t - 1][i * 7 % n] - a[t - 1][n - 1 - i];
}
static void from_another(int n, int m, int (*restrict a)[n], const int (*restrict b)[n], const int *at) {
#pragma omp parallel for collapse(2)
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) a[i][j] += b[m - 1 - i][at[j]] + (at[j] > 2 ? b[i][at[j] - 3] : 1);
}
static void butterflies(int n, int (*a)[n]) {
#pragma sculpt
    for (int t = 1; t < STEPS; t++)
        for (int i = 0; i < n; i++) {
            int j = i ^ (1 << t % 10);
            a[t][i] = j < n ? a[t - 1][i] * 2 + a[t - 1][j] : a[t - 1][i];
        }
}
static void step_by_step(int n, int (*a)[n]) {
    for (int t = 1; t < STEPS; t++) {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++) {
            int j = i - t * 29 % 97;
            a[t][i] = (j >= 0 ? a[t - 1][j] : 0) + a[t - 1][i] % 7;
        }
    }
}
static void solid(int n, int m, int (*a)[n][m]) {
#pragma sculpt
    for (int t = 1; t < 4; t++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                a[t][i][j] = (i ? a[t - 1][i - 1][j] : 1) + (j ? a[t - 1][i][j - 1] : 2) +
                             (j + 1 < m ? a[t - 1][i][j + 1] : 3);
}
static void of_bytes(int n, unsigned char (*a)[n]) {
#pragma sculpt
    for (int t = 1; t < STEPS; t++)
        for (int i = 0; i < n; i++) {
            int l = i ? a[t - 1][i - 1] : 0, r = i < n - 1 ? a[t - 1][i + 1] : 0;
            a[t][i] = 30 >> (((l & 1) * 4 + (a[t - 1][i] & 1) * 2 + (r & 1)) & 7) & 1;
        }
}
static void scattered(int n, int m, int (*a)[n], const int *at) {
#pragma omp parallel for
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) a[i][at[j]] = i * 31 + j;
}
static void from_the_parameters(int m, int n, double u[m][n], double v[m][n]) {
#pragma omp parallel for
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            v[i][j] = (j ? u[i][j - 1] : u[i][n - 1]) + (i ? u[i - 1][j] : u[m - 1][j]);
}
static void odd_columns(int n, int m, int (*a)[n]) {
#pragma sculpt
    for (int i = 0; i < m; i++)
        for (int j = 1; j < n; j += 2) a[i][j] = a[i][j - 1] + (j + 1 < n ? a[i][j + 1] : 0);
}
static void differences(size_t n, const int *t, int *d) {
#pragma sculpt
    for (size_t i = 0; i < n; i++) d[i] = i ? t[i] - t[i - 1] : t[0];
}
static void unsigned_neighbours(unsigned n, unsigned m, int (*a)[n], int (*b)[n]) {
#pragma omp parallel for
    for (unsigned i = 0; i < m; i++)
        for (unsigned j = 0; j < n; j++)
            a[i][j] = b[i][j] * 2 - (i > 0 && j >= 2 ? b[i - 1][j - 2] : 3) + (j < n - 1 ? b[i][j + 1] : 1);
}
// Rows that no loop goes across: the edges of a grid.
static void both_edges(int n, int m, int *a) {
#pragma sculpt
    for (int i = 0; i < n; i++) {
        a[i] = a[(m - 2) * n + i];
        a[(m - 1) * n + i] = a[n + i];
    }
}
static void an_edge_in_part(int n, int m, int k, int *a) { // maybe beyond its row: then in order
#pragma sculpt
    for (int i = 0; i < k; i++) a[(m - 1) * n + i - k] = a[(m - 1) * n + i] + 1;
}

static int *whole;
static void begin(int n, int *a, int *b, int *at) {
    whole = a;
    for (int k = 0; k < STEPS * n; k++) a[k] = k * 37 % 101, b[k] = k * 53 % 97;
    for (int k = 0; k < n; k++) at[k] = (k * 7 + 3) % n;
}

int main(void) {
    static const int sizes[] = {1, 2, 5, 64, 333};
    static const int weight[STEPS] = {3, 1, 40, 7, 200, 9, 11, 2, 5};
    static const int worth[STEPS] = {5, 2, 90, 11, 300, 8, 21, 4, 6};
    for (int k = 0; k < 10; k++) {
        int n = sizes[k / 2];
        long bytes = (long)sizeof(int) * STEPS * n;
        int(*a)[n] = (int(*)[n])room(bytes, k % 2), (*b)[n] = (int(*)[n])room(bytes, k % 2);
        int *at = (int *)room((long)sizeof(int) * n, k % 2);
        double(*u)[n] = (double(*)[n])room(2 * bytes, k % 2), (*v)[n] = (double(*)[n])room(2 * bytes, k % 2);
        for (int i = 0; i < STEPS * n; i++) ((double *)u)[i] = i % 13;
        unsigned char(*c)[n] = (unsigned char(*)[n])room(STEPS * n, k % 2);
        for (int i = 0; i < STEPS * n; i++) ((unsigned char *)c)[i] = (unsigned char)(i * i % 7);
#define RUN(call)                                                                                           \
    do {                                                                                                    \
        begin(n, (int *)a, (int *)b, at);                                                                   \
        call;                                                                                               \
        printf("%s %d\n", #call, n);                                                                        \
        show_ints("a", whole, (long)STEPS * n);                                                             \
    } while (0)
        RUN(chosen_neighbours(n, a));
        RUN(as_far_as_the_step(n, a));
        RUN(five_points(n, STEPS, b, a));
        RUN(knapsack(n, a, weight, worth));
        RUN(changing_shift(n, a));
        RUN(gathered(n, a, at));
        RUN(from_another(n, STEPS, a, (const int(*)[n])b, at));
        RUN(butterflies(n, a));
        RUN(step_by_step(n, a));
        RUN(scattered(n, STEPS, a, at));
        RUN(odd_columns(n, STEPS, a));
        RUN(differences((size_t)n * STEPS, *b, *a));
        RUN(unsigned_neighbours((unsigned)n, STEPS, a, b));
        RUN(both_edges(n, STEPS, *a));
        RUN(an_edge_in_part(n, STEPS, n / 2 + 1, *a));
        of_bytes(n, c);
        for (int i = 0; i < STEPS; i++) printf("%d ", c[i][n / 2]);
        from_the_parameters(STEPS, n, u, v);
        show_doubles("v", (double *)v, (long)STEPS * n);
        int solids[4][5][7];
        for (int i = 0; i < 140; i++) ((int *)solids)[i] = i % 11;
        solid(5, 7, solids);
        show_ints("solid", (int *)solids, 140);
    }
    return 0;
}
