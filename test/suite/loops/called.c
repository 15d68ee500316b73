// device 8
// called.c -- steps in functions, and steps that choose by their number.
#include "../suite.h"
#define N 75
#define LEN 300
static float u[N * N], v[N * N], w[N * N];
static double x[LEN], y[LEN], z[2][LEN];

static void mean(int n, const float (*from)[n], float (*to)[n]) {
#pragma omp parallel for
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            to[i][j] = 0.25f * (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]);
}
static void there(int n, int steps, float *a, float *b) { // and back
    for (int t = 0; t < steps; t += 2) {
        mean(n, (void *)a, (void *)b);
        mean(n, (void *)b, (void *)a);
    }
}
static void both(int n, float *a, float *b) { // a function that calls another
    mean(n, (void *)a, (void *)b);
    mean(n, (void *)b, (void *)a);
}
static void deeper(int n, int steps, float *a, float *b) {
    for (int t = 0; t < steps; t++) both(n, a, b);
}
static void swapped(int n, int steps, float *a, float *b) {
    for (int t = 0; t < steps; t++) {
        mean(n, (void *)a, (void *)b);
        float *c = a;
        a = b;
        b = c;
    }
}
static void wave(int n, const float *before, const float *now, float *next) {
#pragma acc parallel loop collapse(2)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            int at = i * n + j;
            next[at] = now[at] - before[at] + 0.125f * (now[at - 1] + now[at + n]);
        }
}
static void table(int n, int steps, float *a, float *b, float *c) { // a step uses its number to choose
    float *all[3] = {a, b, c};
    for (int t = 0; t < steps; t++) wave(n, all[t % 3], all[(t + 1) % 3], all[(2 + t) % 3]);
}
static void chosen(int n, int steps) { // parts of one array
    for (int t = 1; t < steps; t++) {
        int now = t & 1, last = (t - 1) % 2;
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++) z[now][i] = 0.5 * z[last][i - 1] + 0.25 * z[last][i + 1] + i;
    }
}
static void numbered(int n, int steps) { // and for something else
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++) z[t % 2][i] = t + z[(t + 1) % 2][i - 1];
    }
}
static void changed(int n, int steps, float *a, float *b) { // the table, too
    float *all[2] = {a, b};
    for (int t = 0; t < steps; t++) {
        mean(n, (void *)all[t % 2], (void *)all[(t + 1) % 2]);
        if (t == 2) all[0] = w;
    }
}
static void moved(int n, int steps, float *a, float *b) { // what it began with
    float *all[2] = {a, b};
    a = w;
    for (int t = 0; t < steps; t++) mean(n, (void *)all[t % 2], (void *)all[(t + 1) % 2]);
    a[0] += 1;
}
static void hidden(int n, int steps, float *a, float *b) { // under another's name
    float *all[2] = {a, b};
    {
        float *a = w;
        for (int t = 0; t < steps; t++) mean(n, (void *)all[t % 2], (void *)all[(t + 1) % 2]);
        a[0] += 1;
    }
}
static void scale(int n, double c) { // of an array of the file's
#pragma omp parallel for
    for (int i = 0; i < n; i++) x[i] = x[i] * c + y[i];
}
static void shift(int n) {
#pragma omp parallel for
    for (int i = 1; i < n; i++) y[i] = x[i - 1];
}
static double globals(int n, int steps) {
    double x[4] = {1, 2, 3, 4}, y = 5; // the same names
    for (int t = 0; t < steps; t++) {
        scale(n, 0.5);
        shift(n);
    }
    return x[1] + y;
}
static void sums(int n, double *a) {
#pragma sculpt reassociate
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) a[i] += x[k];
}
static void permits(int n, int steps) { // what one mark permits is not permitted of the others
    for (int t = 0; t < steps; t++) {
        sums(n, y);
        shift(n);
    }
}
static void numbers(int n, int from, double *a) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) a[i] = a[i] * 0.5 + from;
}
static void handed(int n, int steps) { // its own variable
    for (int t = 0; t < steps; t++) {
        numbers(n, t, x);
        numbers(n, steps - t, x);
    }
}

int main(void) {
    fill_floats(u, N * N), fill_floats(v, N * N), fill_floats(w, N * N);
    fill_doubles(x, LEN), fill_doubles(y, LEN), fill_doubles(z[0], LEN), fill_doubles(z[1], LEN);
    for (int steps = 0; steps < 8; steps++) {
        there(N, steps, u, v), show_floats("there", u, N * N), show_floats("there", v, N * N);
        deeper(N, steps, u, v), show_floats("deeper", u, N * N), show_floats("deeper", v, N * N);
        swapped(N, steps, u, v), show_floats("swapped", u, N * N), show_floats("swapped", v, N * N);
        table(N, steps, u, v, w), show_floats("table", u, N * N), show_floats("table", v, N * N),
            show_floats("table", w, N * N);
        chosen(LEN, steps), show_doubles("chosen", z[0], LEN), show_doubles("chosen", z[1], LEN);
        numbered(LEN, steps), show_doubles("numbered", z[0], LEN), show_doubles("numbered", z[1], LEN);
        changed(N, steps, u, v), show_floats("changed", u, N * N), show_floats("changed", v, N * N),
            show_floats("changed", w, N * N);
        moved(N, steps, u, v), show_floats("moved", u, N * N), show_floats("moved", v, N * N),
            show_floats("moved", w, N * N);
        hidden(N, steps, u, v), show_floats("hidden", u, N * N), show_floats("hidden", v, N * N),
            show_floats("hidden", w, N * N);
        show_doubles("globals", &(double){globals(LEN, steps)}, 1), show_doubles("globals", x, LEN),
            show_doubles("globals", y, LEN);
        permits(LEN, steps), show_doubles("permits", y, LEN);
        handed(LEN, steps), show_doubles("handed", x, LEN);
    }
    return 0;
}
