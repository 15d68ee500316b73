// device 9
// leaving.c -- loops that end when the data say so, inside of parallel ones.
#include "../suite.h"
static void mandel(int w, int h, int most, int *out) {
#pragma omp parallel for
    for (int py = 0; py < h; py++)
        for (int px = 0; px < w; px++) {
            double x0 = px * 3.5 / w - 2.5, y0 = py * 2.0 / h - 1.0, x = 0, y = 0;
            int it = 0;
            while (x * x + y * y <= 4.0 && it < most) {
                double t = x * x - y * y + x0;
                y = 2 * x * y + y0;
                x = t;
                it++;
            }
            out[py * w + px] = it;
        }
}
static void first(int n, int m, const float *a, int *at) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int j;
        at[i] = -1;
        for (j = 0; j < m; j++)
            if (a[i * m + j] > 0.6f) { at[i] = j; break; }
    }
}
static int depth(double x) {
    int k;
    for (k = 0; k < 40 && fabs(x) < 100; k++) x = x * x + 0.3;
    return k;
}
static void depths(int n, const double *x, int *d) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++) d[i] = depth(x[i]);
}
static void roots(int n, const double *x, double *r) {
#pragma scop
    for (int i = 0; i < n; i++) {
        double y = x[i] + 1, e;
        do {
            double z = 0.5 * (y + (x[i] + 1) / y);
            e = fabs(z - y);
            y = z;
        } while (e > 1e-12);
        r[i] = y;
    }
#pragma endscop
}
static void halve(int n, float *a) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        while (a[i] > 0.1f) a[i] *= 0.5f;
}
static void bits(int n, const unsigned *x, int *c) {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) {
        unsigned v = x[i];
        int k = 0;
        while (v) { v &= v - 1; k++; }
        c[i] = k;
    }
}
static void collatz(int n, int *steps) {
#pragma omp parallel for
    for (int i = 1; i <= n; i++) {
        long v = i;
        int k = 0;
        for (; v != 1; k++) v = v % 2 ? 3 * v + 1 : v / 2;
        steps[i - 1] = k;
    }
}
static int sorted[200];
static void search(int n, int m, const int *key, int *at) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int lo = 0, hi = m;
        while (lo < hi) {
            int mid = lo + (hi - lo) / 2;
            if (sorted[mid] < key[i]) lo = mid + 1;
            else hi = mid;
        }
        at[i] = lo;
    }
}
// Integer roots by shifted bits, first below what is left of the number.
static void shifted(int n, const int *x, int *root) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int v = x[i], bit = 1 << 14, r = 0;
        while (bit > v) bit >>= 2;
        for (; bit != 0; bit /= 4) {
            if (v >= r + bit) {
                v -= r + bit;
                r = (r >> 1) + bit;
            } else {
                r >>= 1;
            }
        }
        root[i] = r;
    }
}
int main(void) {
    suite_use();
    static int o[2400], at[50], c[200], keys[50]; static float a[2000]; static double x[100], r[100];
    unsigned u[100];
    mandel(60, 40, 50, o); show_ints("mandel", o, 2400);
    fill_floats(a, 2000); first(50, 40, a, at); show_ints("first", at, 50);
    fill_doubles(x, 100); depths(100, x, c); show_ints("depths", c, 100);
    roots(100, x, r); show_doubles("roots", r, 100);
    halve(2000, a); show_floats("halve", a, 2000);
    for (int i = 0; i < 100; i++) u[i] = i * 2654435761u;
    bits(100, u, c); show_ints("bits", c, 100);
    collatz(100, c); show_ints("collatz", c, 100);
    for (int i = 0; i < 200; i++) sorted[i] = 3 * i;
    fill_ints(keys, 50, 600); search(50, 200, keys, at); show_ints("search", at, 50);
    fill_ints(c, 100, 9999);
    static int root[100];
    shifted(100, c, root);
    show_ints("shifted", root, 100);
    return 0;
}
