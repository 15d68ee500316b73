// device 9
// rings.c -- subscripts that go around, rows in which data choose a place, groups of rows.
#include "../suite.h"

static void window(int n, int m, int r, const int *a, int *b) { // how far it goes nobody knows
#pragma acc parallel loop collapse(2) copyin(a[0 : n * m]) copy(b[0 : n * m])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int s = 0;
            for (int d = -1; d <= 1; d++)
                for (int e = -1; e <= 1; e++) s = 3 * s + a[(i + d + n) % n * m + (j + e + m) % m];
            b[i * m + j] = s + a[i * m + (j + r + m) % m];
        }
}
static void long_window(long n, const int *a, int *b) {
#pragma sculpt
    for (long i = 0; i < n; i++) b[i] = a[(i + 2) % n] - 2 * a[(i + 1) % n] + 5 * a[(i + 2 * n - 1) % n];
}
static void sizes(size_t n, const int *a, int *b) {
#pragma omp target teams distribute parallel for map(to : a[0 : n * n]) map(from : b[0 : n * n])
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) b[i * n + j] = a[(i + n - 1) % n * n + j] + 3 * a[i * n + (j + 1) % n];
}
static void downwards(unsigned n, const int *a, int *b) {
#pragma sculpt
    for (int i = (int)n - 1; i >= 0; i--) b[i] = 7 * a[((unsigned)i + 1) % n] + a[(i + (int)n - 1) % (int)n];
}
static void numbers(const int *a, int *b) {
#pragma sculpt
    for (int i = 0; i < 40; i++)
        for (int j = 3; j < 23; j++) b[20 * i + j - 3] = a[(i + 39) % 40 * 20 + (j + 14) % 20] + (i - 20) % 7;
}
static void upwind(int n, const double *v, const double *u, double *w) {
#pragma sculpt
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double a = v[i * n + j];
            w[i * n + j] = a > 0.25 ? u[i * n + (j + n - 1) % n] : u[(i + 1) % n * n + j];
        }
}
static void labels(int n, int m, const int *label, const double *x, double *g) {
#pragma omp target teams distribute parallel for map(to : label[0 : n], x[0 : n * m]) map(from : g[0 : n * m])
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int j = 0; j < m; j++) s += x[i * m + j];
        for (int j = 0; j < m; j++) g[i * m + j] = x[i * m + j] / s;
        g[i * m + label[i]] -= x[i * m + label[i]];
    }
}
static void groups(int n, int c, int s, int q, const double *x, double *y) {
    int each = c / q;
#pragma acc parallel loop collapse(2) copyin(x[0 : n * c * s]) copy(y[0 : n * c * s])
    for (int i = 0; i < n; i++)
        for (int g = 0; g < q; g++) {
            double most = 0;
            for (int j = 0; j < each; j++)
                for (int k = 0; k < s; k++) {
                    double v = x[(i * c + g * each + j) * s + k];
                    if (v > most) most = v;
                }
            for (int j = 0; j < each; j++)
                for (int k = 0; k < s; k++) y[(i * c + g * each + j) * s + k] = most;
        }
}

static void bands(int n, int c, int s, int q, const double *from, double *to, const double *w) {
    int each = c / q;
    const double(*x)[c][s] = (const void *)from;
    double(*y)[c][s] = (void *)to;
#pragma omp target teams distribute parallel for collapse(2) map(to : x[0 : n], w[0 : c]) map(y[0 : n])
    for (int i = 0; i < n; i++)
        for (int g = 0; g < q; g++) {
            double least = 1;
            for (int j = g * each; j < (g + 1) * each; j++)
                for (int k = 0; k < s; k++) least = x[i][j][k] < least ? x[i][j][k] : least;
            for (int j = (g + 1) * each - 1; j >= g * each; j--)
                for (int k = 0; k < s; k++) y[i][j][k] = least * w[j] + k;
        }
}

int main(void) {
    enum { MOST = 900 };
    static int a[MOST], b[MOST], label[30];
    static double x[MOST], u[MOST], w[MOST];
    fill_ints(a, MOST, 1000), fill_doubles(x, MOST), fill_doubles(u, MOST);
    for (int n = 1; n <= 29; n = 2 * n + (n > 2)) {
        int m = 30 - n;
        for (int k = 0; k < MOST; k++) b[k] = k, w[k] = k;
        window(n, m, n % 3 ? 1 : -1, a, b), show_ints("window", b, MOST);
        if (n > 1) long_window(n, a, b), show_ints("long", b, MOST);
        sizes(n, a, b), show_ints("sizes", b, n * n);
        downwards(n, a, b), show_ints("down", b, n);
        upwind(n, x, u, w), show_doubles("upwind", w, MOST);
        fill_ints(label, n, m);
        labels(n, m, label, u, w), show_doubles("labels", w, n * m);
        for (int q = 1; q <= 3; q++) {
            groups(2, 7, n, q, x, w), show_doubles("groups", w, MOST);
            bands(3, 8, n, q, x, w, u), show_doubles("bands", w, MOST);
        }
    }
    numbers(a, b), show_ints("numbers", b, 800);
    suite_use();
    return 0;
}
