// device 11
// sided.c -- subscripts that hang on values handed from iteration to iteration, of arrays without bounds:
// what they are at most and at least where the conditions around hold.
#include "../suite.h"
#define CLAMP(x, lo, hi) ((x) < (lo) ? (lo) : (x) > (hi) ? (hi) : (x))

static void lower_bounds(int n, int q, const double *a, const double *x, int *o) {
#pragma omp parallel for
    for (int i = 0; i < q; i++) {
        int lo = 0, hi = n;
        while (lo < hi) {
            int m = lo + (hi - lo) / 2;
            if (a[m] < x[i]) lo = m + 1;
            else hi = m;
        }
        o[i] = lo;
    }
}
static void found(int n, int q, const int *a, const int *x, int *o) {
#pragma omp parallel for
    for (int i = 0; i < q; i++) {
        int lo = 0, hi = n - 1, at = -1;
        while (lo <= hi) {
            int m = (lo + hi) >> 1;
            if (a[m] == x[i]) {
                at = m;
                break;
            }
            if (a[m] < x[i]) lo = m + 1;
            else hi = m - 1;
        }
        o[i] = at;
    }
}
static void between(size_t n, size_t q, const double *x, const double *y, const double *at, double *o) {
#pragma omp parallel for
    for (size_t i = 0; i < q; i++) {
        size_t lo = 0, hi = n - 1;
        while (hi - lo > 1) {
            size_t m = (lo + hi) / 2;
            if (x[m] > at[i]) hi = m;
            else lo = m;
        }
        o[i] = y[lo] + y[hi];
    }
}
// The bins are as many as bounds but one: nothing beyond them is read or written.
static void binned(int n, int bins, const double *bound, const double *x, int *o) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int lo = 0, hi = bins;
        while (hi > lo + 1) {
            int m = (lo + hi) / 2;
            if (x[i] >= bound[m]) lo = m;
            else hi = m;
        }
#pragma omp atomic
        o[lo]++;
    }
}
static void resized(const unsigned char *in, int w, int h, float *out, int to_w, int to_h) {
#pragma omp parallel for
    for (int y = 0; y < to_h; y++)
        for (int x = 0; x < to_w; x++) {
            float fx = (x + .5f) * w / to_w - .5f, fy = (y + .5f) * h / to_h - .5f;
            int x0 = (int)floorf(fx), y0 = (int)floorf(fy);
            int x1 = CLAMP(x0 + 1, 0, w - 1), y1 = CLAMP(y0 + 1, 0, h - 1);
            x0 = CLAMP(x0, 0, w - 1), y0 = CLAMP(y0, 0, h - 1);
            out[y * to_w + x] = in[y0 * w + x0] + 2 * in[y0 * w + x1] + 3 * in[y1 * w + x0] + in[y1 * w + x1];
        }
}
static void deposited(int n, const double *x, int cells, double inv, int *count) {
#pragma omp parallel for
    for (int p = 0; p < n; p++) {
        int c = (int)(x[p] * inv);
        if (c < 0) c = 0;
        if (c >= cells) c = cells - 1;
#pragma omp atomic
        count[c] += 1;
    }
}
static void neighbours(int n, const double *x, int *many, int *list, int most, double near) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int k = 0;
        for (int j = 0; j < n; j++) {
            if (j == i) continue;
            double d = x[i] - x[j];
            if (d * d < near && k < most) list[i * most + k++] = j;
        }
        many[i] = k;
    }
}
static void sorted(const int *a, int *o, int n, int m) { // by insertion
#pragma omp parallel for
    for (int b = 0; b < n; b++) {
        int *r = o + b * m;
        for (int i = 0; i < m; i++) {
            int v = a[b * m + i], j = i - 1;
            while (j >= 0 && r[j] > v) {
                r[j + 1] = r[j];
                j--;
            }
            r[j + 1] = v;
        }
    }
}
static void common(int n, const int *row, const int *col, int *o) { // of rows side by side
#pragma omp parallel for
    for (int u = 0; u < n; u++) {
        int i = row[u], j = row[u + 1], k = row[u + 1], l = row[u + 2], c = 0;
        while (i < k && j < l) {
            if (col[i] == col[j]) c++, i++, j++;
            else if (col[i] < col[j]) i++;
            else j++;
        }
        o[u] = c;
    }
}
// Doubles that a clause lets threads add to in any order; sums of whole numbers are exact.
static void grouped(int n, int m, int groups, const int *of, const double *x, double *sum) {
#pragma omp parallel for reduction(+ : sum[:groups * m])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) sum[of[i] * m + j] += x[i * m + j];
}
static void thirds(int n, const double *x, double *sum) {
#pragma omp parallel for reduction(+ : sum[:3])
    for (int i = 0; i < n; i++) sum[i % 3] += x[i];
}

int main(void) {
    static const int sizes[] = {0, 1, 2, 37};
    for (int s = 0; s < 4; s++) {
        int n = sizes[s], q = 50;
        // Just as much as is touched, at most.
        double *a = malloc(n * 8 + 1), *x = malloc(q * 8), *w = malloc(q * 8), sum[12] = {0};
        int *k = malloc(n * 4 + 1), *y = malloc(q * 4), *o = malloc(q * 4), *l = calloc(n * 3 + 1, 4);
        unsigned char *in = malloc(n * (n + 1) + 1);
        float *out = malloc(9 * 11 * 4);
        fill_doubles(x, q), fill_ints(y, q, 40);
        for (int i = 0; i < n; i++) a[i] = i * .03, k[i] = i * 2;
        for (int i = 0; i < n * (n + 1); i++) in[i] = (unsigned char)(suite_next() * 256);
        lower_bounds(n, q, a, x, o), show_ints("lower", o, q);
        found(n, q, k, y, o), show_ints("found", o, q);
        if (n) between((size_t)n, (size_t)q, a, a, x, w), show_doubles("between", w, q);
        memset(l, 0, n * 4);
        if (n > 1) binned(q, n - 1, a, x, l), show_ints("binned", l, n - 1);
        if (n) resized(in, n, n + 1, out, 9, 11), show_floats("resized", out, 99);
        memset(l, 0, n * 4);
        for (int i = 0; i < q; i++) x[i] = x[i] * 3 - 1;
        if (n) deposited(q, x, n, n, l), show_ints("deposited", l, n);
        memset(l, 0, n * 12);
        neighbours(n, x, k, l, 3, .1), show_ints("many", k, n), show_ints("near", l, 3 * n);
        sorted(y, o, n / 7, 7), show_ints("sorted", o, n / 7 * 7);
        for (int i = 0; i < n; i++) k[i] = i ? k[i - 1] + y[i] % 3 : 0;
        if (n > 2) common(n - 2, k, y, l), show_ints("common", l, n - 2);
        for (int i = 0; i < q; i++) y[i] %= 4, w[i] = i;
        grouped(n / 3, 3, 4, y, w, sum), show_doubles("grouped", sum, 12);
        thirds(n, w, sum), show_doubles("thirds", sum, 3);
        free(a), free(x), free(w), free(k), free(y), free(o), free(l), free(in), free(out);
    }
    suite_use();
    return 0;
}
