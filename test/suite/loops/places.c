// device 15
// places.c -- steps after which pointers change places, or arrays are copied back.
#include "../suite.h"
#define N 75
#define LEN 300
static float u[N * N], v[N * N], w[N * N];
static double x[LEN], y[LEN];

static void two(int n, int steps, float *now, float *next) { // a variable of the loop between
    for (int t = 0; t < steps; t++) {
#pragma acc parallel loop collapse(2)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                next[i * n + j] = 0.25f * (now[(i - 1) * n + j] + now[(i + 1) * n + j] + now[i * n + j - 1] +
                                           now[i * n + j + 1]);
        float *other = now;
        now = next, next = other;
    }
}
static void three(int n, int steps, float *before, float *now, float *next) {
    float *oldest;
    for (int t = 2; t < steps; t++) {
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                next[i * n + j] = now[i * n + j] - before[i * n + j] + 0.125f *
                    (now[i * n + j - 1] + now[i * n + n + j]);
        oldest = before;
        before = now;
        now = next;
        next = oldest;
    }
}
static void shares(int n, int steps, double *a, double *b) { // marks that say more
    int k;
    for (int t = 0; t < steps; t++) {
        double sum = 1;
#pragma omp parallel for reduction(+ : sum)
        for (int i = 0; i < n; i++) sum += a[i] * a[i];
#pragma omp parallel for private(k)
        for (int i = 0; i < n; i++) {
            const double *from = a + i % 5;
            k = (i * 7) % (n - 5);
            b[i] = from[k] / sum + k;
        }
        double *c = a;
        a = b, b = c;
    }
}
static double *wanted(int n, int steps, double *a, double *b) { // the caller sees which one it is
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++) b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        double *c = a;
        a = b;
        b = c;
    }
    return a;
}
static void numbered(int n, int steps, double *a, double *b) { // a step uses its number
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++) b[i] = t + 0.5 * (a[i - 1] + a[i + 1]);
        double *c = a;
        a = b, b = c;
    }
}
static void some(int n, int steps, double *a, double *b) { // only now and then
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++) b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        if (t % 3) {
            double *c = a;
            a = b, b = c;
        }
    }
}
static void together(int n, double *a, double *b) { // not places, but one for both
    for (int t = 0; t < 3; t++) {
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++) b[i] = 0.5 * a[i] + i;
        a = b;
    }
}
static double *marked(int n, int steps, double *a, double *b) { // the mark stands at the steps
#pragma sculpt
    for (int t = 1; t <= steps; t++) {
        for (int i = 1; i < n - 1; i++) b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        double *c = a;
        a = b, b = c;
    }
    return b;
}
// three of them are wanted
static float *turned(int n, long first, long steps, float *a, float *b, float *c) {
    float *d;
#pragma scop
    for (long t = first; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) c[i] = 2 * b[i] - a[i] + 0.25f * (b[i - 1] - 2 * b[i] + b[i + 1]);
        d = a, a = b, b = c, c = d;
    }
#pragma endscop
    a[0] += 1, b[0] += 2;
    return c;
}
static void counted(int n, size_t steps, double *a, double *b) {
    for (size_t t = 0; t < steps; ++t) {
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++) b[i] = 0.25 * a[i - 1] + 0.75 * a[i + 1];
        double *c = b;
        b = a, a = c;
    }
}
static double *mixed(int n, unsigned steps, double *a, double *b) { // -1 is more than any unsigned number
    for (int t = -1; t < steps; t++) {
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++) b[i] = 0.25 * a[i - 1] + 0.75 * a[i + 1];
        double *c = b;
        b = a, a = c;
    }
    return a;
}
static double *refused(int n, int steps, double *a, double *b) { // its inner loops alone can be taken
#pragma sculpt
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        b[n / 2] += rand() % 7;
        double *c = a;
        a = b, b = c;
    }
    return a;
}
static void back(int n, int steps, float (*a)[n], float (*b)[n]) {
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) b[i][j] = (a[i - 1][j] + a[i + 1][j - 1]) * 0.5f;
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) a[i][j] = b[i][j];
    }
}

int main(void) {
    fill_floats(u, N * N), fill_floats(v, N * N), fill_floats(w, N * N);
    fill_doubles(x, LEN), fill_doubles(y, LEN);
    for (int steps = 0; steps < 8; steps++) {
        two(N, steps, u, v), show_floats("two", u, N * N), show_floats("two", v, N * N);
        three(N, steps, u, v, w), show_floats("three", u, N * N), show_floats("three", v, N * N),
            show_floats("three", w, N * N);
        show_doubles("wanted", wanted(LEN, steps, x, y), LEN), show_doubles("wanted", y, LEN);
        numbered(LEN, steps, x, y), show_doubles("numbered", x, LEN), show_doubles("numbered", y, LEN);
        some(LEN, steps, x, y), show_doubles("some", x, LEN), show_doubles("some", y, LEN);
        together(LEN, x, y), show_doubles("together", x, LEN), show_doubles("together", y, LEN);
        shares(LEN, steps, x, y), show_doubles("shares", x, LEN), show_doubles("shares", y, LEN);
        show_doubles("marked", marked(LEN, steps, x, y), LEN), show_doubles("marked", y, LEN);
        for (int k = 0; k < 3; k++)
            show_floats("turned", turned(N, k, steps, u, v, w), N), show_floats("turned", u, N),
                show_floats("turned", v, N);
        counted(LEN, steps, x, y), show_doubles("counted", x, LEN), show_doubles("counted", y, LEN);
        show_doubles("mixed", mixed(LEN, steps, x, y), LEN), show_doubles("mixed", y, LEN);
        show_doubles("refused", refused(LEN, steps, x, y), LEN), show_doubles("refused", y, LEN);
        back(N, steps, (void *)u, (void *)v), show_floats("back", u, N * N), show_floats("back", v, N * N);
    }
    return 0;
}
