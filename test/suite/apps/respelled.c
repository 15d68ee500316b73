// device 16
// respelled.c -- products as people write them: sums in two loops, in place, used together, mirrored, by
// calls.
#include "../suite.h"
enum { N = 70, M = 45 };
static float a[N][M], b[N][M], t[N][N], s[N][N], x[M][N], d[N][M], c[N][N], r[N][M];
typedef struct {
    float re, im;
} Pair;
static int count[N][N];
static Pair p[N][N], q[N][N], pq[N][N];

static void fill(void) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            a[i][j] = (float)((i * 7 + j * 3) % 11 - 5), b[i][j] = (float)((i * 5 + j) % 9 - 4);
            x[j][i] = (float)((i + 2 * j) % 7 - 3), d[i][j] = (float)(i - j);
        }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            count[i][j] = (i + j) % 6, s[i][j] = (float)((i * 3 + j) % 5 - 2);
            t[i][j] = (float)((i + j * 5) % 7 - 3);
            p[i][j] = (Pair){(float)(i % 3), (float)(j % 4)},
                q[i][j] = (Pair){(float)(j % 5), (float)(i % 2)};
        }
}

static void show(const char *what, int n, int m, const float *z) {
    double sum = 0, skew = 0;
    for (int i = 0; i < n * m; i++) sum += z[i], skew += z[i] * (i % 13 - 6);
    printf("%s %.9g %.9g\n", what, sum, skew);
}

static void symmetric_in_two_loops(int n, int m) {
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float sum = 0;
            for (int k = 0; k <= i; k++) sum += s[i][k] * a[k][j];
            for (int k = i + 1; k < n; k++) sum += s[k][i] * a[k][j];
            r[i][j] = 2 * sum + d[i][j];
        }
}
static void symmetric_by_a_choice(int n, int m) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float sum = 0;
            for (int k = 0; k < n; k++) sum += (k <= i ? s[i][k] : s[k][i]) * a[k][j];
            r[i][j] = 2 * sum + d[i][j];
        }
}
static void skew_by_a_condition(size_t n, size_t m) {
#pragma omp parallel for collapse(2)
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++) {
            r[i][j] = 0;
            for (size_t k = 0; k < n; k++)
                if (i < k) r[i][j] += s[i][k] * a[k][j];
                else r[i][j] -= s[k][i] * a[k][j];
        }
}
static void symmetric_rows(int n) { // of a vector, more than one choice
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int k = 0; k < n; k++)
            sum += (i > k ? s[i][k] : s[k][i]) * (k >= i ? t[i][k] : t[k][i]) + (k < i ? s[k][i] : t[k][k]);
        r[i][0] = sum;
    }
}
static void two_products(int n, int m) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            r[i][j] = 0;
            for (int k = 0; k < n; k++) r[i][j] += s[i][k] * a[k][j];
            for (int k = 0; k < n; k++) r[i][j] += t[i][k] * b[k][j];
        }
}
static void two_sums(int n, int m) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            float one = 0, other = 0;
            for (int k = 0; k < m; k++) {
                one += a[i][k] * b[j][k];
                other += b[i][k] * a[j][k];
            }
            c[i][j] = 2 * c[i][j] + (one + other);
        }
}
static void mirrored_behind(int n, int m) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) {
            c[i][j] = 0;
            for (int k = 0; k < m; k++) c[i][j] += x[k][i] * x[k][j];
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) c[i][j] = c[j][i];
#pragma endscop
}
static void mirrored_at_once(int n, int m) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (j >= i) {
                float sum = 0;
                for (int k = 0; k < m; k++) sum += x[k][i] * x[k][j];
                c[i][j] = c[j][i] = sum / 4;
            }
}
static void mirrored_but_once(int n, int m) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            float sum = 0;
            for (int k = 0; k < m; k++) sum += a[i][k] * a[j][k];
            c[i][j] += sum;
            if (i != j) c[j][i] -= sum;
        }
}
static void lower_in_place(int n, int m) {
#pragma scop
    for (int i = n - 1; i >= 0; i--)
        for (int j = 0; j < m; j++) {
            r[i][j] *= s[i][i];
            for (int k = 0; k < i; k++) r[i][j] += s[i][k] * r[k][j];
        }
#pragma endscop
}
static void upper_by_continue(int n, int m) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float sum = 0;
            for (int k = 0; k < n; k++) {
                if (k < i) continue;
                sum += s[i][k] * a[k][j];
            }
            r[i][j] = sum;
        }
}
static float dot(int m, const float *y, const float *z) {
    float sum = 0;
    for (int k = 0; k < m; k++) sum += y[k] * z[k];
    return sum;
}
static void by_a_call(int n, int m) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) {
            float z = dot(m, a[i], a[j]);
            c[i][j] = z;
            c[j][i] = z;
        }
}
static void less_their_means(int n, int m) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) {
            float sum = 0;
            for (int k = 0; k < m; k++) sum += (x[k][i] - d[i][0]) * (x[k][j] - d[j][0]);
            c[i][j] = sum;
            c[j][i] = c[i][j];
        }
}
static Pair times(Pair y, Pair z) { return (Pair){y.re * z.re - y.im * z.im, y.re * z.im + y.im * z.re}; }
static Pair plus(Pair y, Pair z) { return (Pair){y.re + z.re, y.im + z.im}; }
static void pairs(int n) {
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            Pair sum = {0, 0};
            for (int k = 0; k < n; k++) sum = plus(sum, times(p[i][k], q[k][j]));
            pq[i][j] = sum;
        }
}

static void floats_summed_in_double(int n, int m) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < m; k++) sum += (double)a[i][k] * x[k][j];
            c[i][j] = (float)sum;
        }
}
static void counts_by_weights(int n, int m) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float sum = 0;
            for (int k = 0; k < n; k++) sum += count[i][k] * a[k][j];
            r[i][j] = sum;
        }
}

int main(void) {
    fill();
    symmetric_in_two_loops(N, M), show("symmetric", N, M, r[0]);
    symmetric_by_a_choice(N, M), show("by a choice", N, M, r[0]);
    skew_by_a_condition(N, M), show("by a condition", N, M, r[0]);
    symmetric_rows(N), show("rows", N, M, r[0]);
    two_products(N, M), show("two products", N, M, r[0]);
    two_sums(N, M), show("two sums", N, N, c[0]);
    mirrored_behind(N, M), show("mirrored behind", N, N, c[0]);
    mirrored_at_once(N, M), show("mirrored at once", N, N, c[0]);
    mirrored_but_once(N, M), show("mirrored but once", N, N, c[0]);
    upper_by_continue(N, M), show("upper", N, M, r[0]);
    lower_in_place(33, M), show("lower", N, M, r[0]);
    by_a_call(N, M), show("by a call", N, N, c[0]);
    less_their_means(N, M), show("means", N, N, c[0]);
    pairs(N), show("pairs", N, 2 * N, &pq[0][0].re);
    floats_summed_in_double(N, M), show("in double", N, N, c[0]);
    counts_by_weights(N, M), show("counts", N, M, r[0]);
    return 0;
}
