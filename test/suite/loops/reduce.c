// device 32
// reduce.c -- sums, products, extremes and their places, counts, logical answers.
#include "loops.h"
#include <limits.h>
#include <math.h>
#include <stdbool.h>

static float sum_omp(void) { // parallel by permission
    float s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < N; i++)
        s += a[i];
    return s;
}
static float sum_ordered(void) { // keeps its order: serial
    float s = 0;
#pragma scop
    for (int i = 0; i < N; i++)
        s += a[i];
#pragma endscop
    return s;
}
static long sum_ints(void) { // parallel without a word: integers
    long s = 5;
#pragma scop
    for (int i = 0; i < N; i++)
        s += ii[i];
#pragma endscop
    return s;
}
static float dot_omp(int n) { // parallel by permission
    float s = 1.0f;
#pragma omp parallel for simd reduction(+ : s)
    for (int i = 0; i < n; i++)
        s = s + a[i] * b[i];
    return s;
}
static float conditional_sum(void) { // parallel by permission
    float s = 0;
#pragma omp parallel for reduction(default, + : s)
    for (int i = 0; i < N; i++)
        if (a[i] > 0.0f)
            s += a[i];
    return s;
}
static double product_omp(void) { // parallel by permission
    double p = 1.0;
#pragma omp parallel for reduction(* : p)
    for (int i = 0; i < N; i++)
        p *= 1.0 + 0.01 * a[i];
    return p;
}
static float largest(void) { // parallel by permission
    float m = a[0];
#pragma omp parallel for reduction(max : m)
    for (int i = 0; i < N; i++)
        if (a[i] > m)
            m = a[i];
    return m;
}
static float smallest_call(void) { // parallel by permission
    float m = 3.0f;
#pragma omp parallel for reduction(min : m)
    for (int i = 0; i < N; i++)
        m = fminf(m, a[i]);
    return m;
}
static int largest_int(void) { // parallel: integers
    int m = INT_MIN;
#pragma scop
    for (int i = 0; i < N; i++)
        m = ii[i] > m ? ii[i] : m;
#pragma endscop
    return m;
}
static int smallest_int(void) { // parallel: integers
    int m = INT_MAX;
#pragma scop
    for (int i = 0; i < N; i++)
        if (ii[i] < m)
            m = ii[i];
#pragma endscop
    return m;
}
static int place_of_largest(void) { // an argmax: right, wherever it runs
    float m = a[0];
    int at = 0;
#pragma sculpt
    for (int i = 1; i < N; i++)
        if (a[i] > m) {
            m = a[i];
            at = i;
        }
    return at * 2 + (m > 0.0f);
}
static int place_of_largest_magnitude(void) {
    float m = fabsf(a[0]);
    int at = 0;
#pragma sculpt
    for (int i = 1; i < N; i++) {
        if (fabsf(a[i]) <= m)
            continue;
        m = fabsf(a[i]);
        at = i;
    }
    return at;
}
static int place_in_2d(void) {
    float m = aa[0][0];
    int x0 = 0, y0 = 0;
#pragma sculpt
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++)
            if (aa[i][j] > m) {
                m = aa[i][j];
                x0 = i;
                y0 = j;
            }
    return x0 * 100 + y0;
}
static int count_positive(void) { // parallel
    int n = 0;
#pragma scop
    for (int i = 0; i < N; i++)
        if (b[i] > 0.1f)
            n++;
#pragma endscop
    return n;
}
static int count_with_value(void) { // parallel
    int n = 10;
#pragma scop
    for (int i = 0; i < N; i++)
        n += b[i] > 0.1f;
#pragma endscop
    return n;
}
static bool any_large(void) { // parallel
    bool any = false;
#pragma omp parallel for reduction(|| : any)
    for (int i = 0; i < N; i++)
        any = any || a[i] > 0.74f;
    return any;
}
static int all_small(void) { // parallel
    int all = 1;
#pragma omp parallel for reduction(&& : all)
    for (int i = 0; i < N; i++)
        all = all && a[i] < 0.76f;
    return all;
}
static unsigned bits(void) { // parallel: bitwise operations need no permission
    unsigned o = 0, n = ~0u, z = 0;
#pragma scop
    for (int i = 0; i < N; i++) {
        o |= (unsigned)ii[i];
        n &= (unsigned)ii[i] | 0xf0000u;
        z ^= (unsigned)ii[i] * 2654435761u;
    }
#pragma endscop
    return o + n + z;
}
static unsigned hash_sum(void) { // parallel: unsigned sums wrap
    unsigned h = 1;
#pragma scop
    for (int i = 0; i < N; i++)
        h += (unsigned)ii[i] * 40503u;
#pragma endscop
    return h;
}
static void row_sums(void) { // parallel over rows, in order within one
#pragma scop
    for (int i = 0; i < M; i++) {
        a[i] = 0;
        for (int j = 0; j < M; j++)
            a[i] += aa[i][j];
    }
#pragma endscop
}
static void column_sums(void) { // parallel over columns
#pragma scop
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++)
            a[j] += aa[i][j] * bb[i][j];
#pragma endscop
}
static float sum_2d(void) { // parallel by permission
    float s = 0;
#pragma omp parallel for collapse(2) reduction(+ : s)
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++)
            s += aa[i][j] * bb[j][i];
    return s;
}
static double several(void) { // parallel by permission
    double s = 0, t = 0;
    float m = -1.0f;
    int n = 0;
#pragma omp parallel for reduction(+ : s, t, n) reduction(max : m)
    for (int i = 0; i < N; i++) {
        double v = a[i];
        s += v;
        t += v * v;
        if (v > 0.5)
            n++;
        m = fmaxf(m, a[i]);
    }
    return s + 10 * t + n + m;
}
static float minus_sum(void) { // parallel by permission: subtraction is a sum
    float s = 100.0f;
#pragma omp parallel for reduction(- : s)
    for (int i = 0; i < N; i++)
        s -= a[i] * a[i];
    return s;
}
static float sum_by_five(void) { // parallel by permission: five terms a turn
    float s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < N; i += 5)
        s += a[i] * b[i] + a[i + 1] * b[i + 1] + a[i + 2] * b[i + 2] + a[i + 3] * b[i + 3] + a[i + 4] *
            b[i + 4];
    return s;
}
static float running(void) { // serial: every partial sum is stored
    float s = 0;
#pragma sculpt
    for (int i = 0; i < N; i++) {
        s += a[i];
        b[i] = s;
    }
    return s;
}
static float used_inside(void) { // serial: the sum is used on the way
    float s = 0;
#pragma sculpt
    for (int i = 0; i < N; i++)
        if (s < 20.0f)
            s += a[i] + 0.25f;
    return s;
}
static void inner_dot(void) { // parallel over i: the accumulator is private
    float s;
#pragma scop
    for (int i = 0; i < M; i++) {
        s = 0.0f;
        for (int j = 0; j < M; j++)
            s += aa[i][j] * bb[j][i];
        b[i] = s;
    }
#pragma endscop
}
// Updates beside something else in one iteration: no reduction, not even where there is one iteration only.
static long scaled_sum(int n, int end, long by) { // a number in base `by`: its last digits may be missing
    long v = 3;
#pragma sculpt
    for (int i = 1; i < n; i++) {
        v *= by;
        if (i < end)
            v += ii[i];
    }
    return v;
}
static long sum_scaled(int n, int end, long by) {
    long v = 3;
#pragma sculpt
    for (int i = 1; i < n; i++) {
        if (i < end)
            v += ii[i];
        v *= by;
    }
    return v;
}
static long least_and_more(int n, int end) {
    int v = 5000;
#pragma sculpt
    for (int i = 1; i < n; i++) {
        v = ii[i] < v ? ii[i] : v;
        if (i < end)
            v += 7;
    }
    return v;
}
static long sum_begun_anew(int n, int end) {
    int v = 5;
#pragma sculpt
    for (int i = 1; i < n; i++) {
        if (i < end)
            v = 70;
        v += ii[i];
    }
    return v;
}
static long sum_stored(int n, int end) {
    int v = 5;
#pragma sculpt
    for (int i = 1; i < n; i++) {
        v += ii[i];
        if (i < end)
            jp[i] = v;
    }
    return v + jp[1] * 10L + jp[2] * 100L;
}
static float scaled_element(int n, int end) { // in an array, by permission
#pragma sculpt reassociate
    for (int j = 1; j < n; j++)
        for (int i = 0; i < M; i++) {
            b[3] += a[i];
            if (i + j < end)
                b[3] *= 0.5f;
        }
    return b[3];
}
static void mixed_updates(void) {
    for (int n = 1; n < 5; n++)
        for (int end = 0; end < 5; end++) {
            COUNT(scaled_sum, n, end, 3), COUNT(sum_scaled, n, end, 3), COUNT(least_and_more, n, end);
            COUNT(sum_begun_anew, n, end), COUNT(sum_stored, n, end), VALUE(scaled_element, n, end);
        }
}
static int steps_of_sums(int n) { // a row of sums in each step, which the next one needs
#pragma sculpt
    for (int q = 0; q < 1; q++) {
        int s[4];
        for (int k = 0; k < 4; k++) {
            for (int c = 0; c < 4; c++)
                s[c] = c;
            for (int i = 0; i < n; i++)
                for (int c = 0; c < 4; c++)
                    if (c >= k)
                        s[c] += ii[4 * i + k] * ii[4 * i + c];
            for (int i = 0; i < n; i++)
                ii[4 * i + k] = (ii[4 * i + k] + s[k] % 1000) / 2;
        }
    }
    return ii[4 * n - 1];
}
static float reflectors(int m, int n) { // columns cleared below the diagonal, by permission
#pragma sculpt reassociate
    for (int q = 0; q < 1; q++) {
        double s[8], scale = 0;
        float w[8];
        for (int j = 0; j <= n; j++) {
            for (int c = 0; c < 8; c++)
                s[c] = 0;
            for (int i = j; i < m; i++) {
                if (j > 0)
                    aa[i][j - 1] = (float)(aa[i][j - 1] * scale);
                for (int c = 0; c < 8; c++)
                    if (j > 0 && c >= j && c < n)
                        aa[i][c] -= aa[i][j - 1] * w[c];
                for (int c = 0; c < 8; c++)
                    if (i > j && c >= j && c < n)
                        s[c] += (double)aa[i][j] * aa[i][c];
            }
            if (j < n) {
                double first = aa[j][j], norm = sqrt(first * first + s[j]), to = first < 0 ? norm : -norm;
                double t = s[j] > 0 ? (to - first) / to : 0;
                scale = s[j] > 0 ? 1 / (first - to) : 0;
                b[j] = (float)t;
                aa[j][j] = s[j] > 0 ? (float)to : (float)first;
                for (int c = 0; c < 8; c++) {
                    w[c] = c > j && c < n ? (float)(t * (aa[j][c] + scale * s[c])) : 0;
                    if (c > j && c < n)
                        aa[j][c] -= w[c];
                }
            }
        }
    }
    return b[0];
}

int main(void) {
    mixed_updates();
    VALUE(reflectors, M, 8), VALUE(reflectors, M, 5), VALUE(reflectors, 6, 6);
    COUNT(steps_of_sums, N / 4), COUNT(steps_of_sums, 1);
    VALUE(sum_omp), VALUE(sum_ordered), COUNT(sum_ints), VALUE(dot_omp, N), VALUE(dot_omp, 0),
        VALUE(dot_omp, 1);
    VALUE(conditional_sum), VALUE(product_omp), VALUE(largest), VALUE(smallest_call), COUNT(largest_int),
        COUNT(smallest_int);
    COUNT(place_of_largest), COUNT(place_of_largest_magnitude), COUNT(place_in_2d), COUNT(count_positive),
        COUNT(count_with_value);
    COUNT(any_large), COUNT(all_small), COUNT(bits), COUNT(hash_sum), RUN(row_sums), RUN(column_sums),
        VALUE(sum_2d), VALUE(several);
    VALUE(minus_sum), VALUE(sum_by_five), VALUE(running), VALUE(used_inside), RUN(inner_dot);
    suite_use();
    return 0;
}
