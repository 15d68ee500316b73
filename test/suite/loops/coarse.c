// device 10
// coarse.c -- regions of such sizes that a GPU's kernels do several iterations a thread, or share
// an iteration among threads; none of the sizes divides.
#include "../suite.h"

static void near(int n, int m, float *out, const float *x, const float *y) { // few sources, many targets
#pragma scop
    for (int i = 0; i < n; i++) {
        float s = 0, most = -1;
        for (int j = 0; j < m; j++) {
            float d = x[i] - y[j];
            s += d * d;
            if (d * d > most) most = d * d;
        }
        out[i] = s + most;
    }
#pragma endscop
}
static void pairs(int n, int m, int dim, float *out, const float *x, const float *y) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float s = 0;
            for (int d = 0; d < dim; d++) s += fabsf(x[i * dim + d] - y[j * dim + d]);
            out[i * m + j] = s;
        }
#pragma endscop
}
static void stencil(int n, int m, float *out, const float *a) {
#pragma scop
    for (int i = 1; i < n - 2; i++)
        for (int j = 3; j < m - 1; j++)
            out[i * m + j] = a[i * m + j - 3] + 2 * a[i * m + j + 1] - a[(i - 1) * m + j] + 3 *
                a[(i + 2) * m + j];
#pragma endscop
}
static void product(int n, double *c, const double *a, const double *b) {
#pragma scop
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) c[i * n + j] += a[i * n + k] * b[k * n + j];
#pragma endscop
}
static void stream(long n, double *a, const double *b) {
#pragma scop
    for (long i = 0; i < n; i++) a[i] = 2 * a[i] + b[i];
#pragma endscop
}
static void terms(int n, int m, int dim, double *out, const double *x, const double *y, const double *w) {
#pragma scop
    for (int i = 0; i < n; i++) {
        double t[4], sum = 0.5, other = 1;
        for (int j = 0; j < m; j++) {
            double all = 1;
            for (int d = 0; d < dim; d++) {
                double u = x[i * dim + d] - y[j * dim + d];
                t[d] = u * u / (1 + u * u);
                if (u > 0.5) t[d] = sqrt(u) / (2 + u);
                all *= 1 + t[d] * exp(-u * u) / (3 + u);
            }
            for (int d = 0; d < dim; d++) sum += w[d] * (t[d] / all);
            other *= 1 + 0.01 * (all / (1 + all));
        }
        out[i] = sum + other;
    }
#pragma endscop
}
static void outputs(int n, int dim, float *one, float *two, const float *x) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float t[4];
            for (int d = 0; d < dim; d++) t[d] = x[i * dim + d] * x[j * dim + d];
            for (int a = 0; a < dim; a++) {
                one[(i * n + j) * dim + a] = t[a] + 1;
                for (int b = 0; b < dim; b++)
                    if (a != b) two[((i * n + j) * dim + a) * dim + b] = t[a] - 2 * t[b];
            }
        }
#pragma endscop
}
// what is written is read again: not staged
static void saved(int n, float *out, float *two, const float *x) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int a = 0; a < 3; a++) {
            out[i * 3 + a] = x[i] + a;
            two[i] = out[i * 3 + a] * 2;
        }
#pragma endscop
}

// Rows of a length that only the pointer's declaration tells, changed several times.
static void half(int n, float c[n][n]) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) c[i][k] = c[i][k] / 2 + 1;
}
static void again(int n, float *x, float *y) {
#pragma sculpt
    for (int q = 0; q < 5; q++) half(n, (void *)x);
#pragma sculpt
    for (int k = 0; k < n; k++) {
        float(*c)[n] = (void *)y;
        for (int i = 0; i < n; i++) c[k][i] += k;
    }
}

int main(void) {
    int big = 200003, wide = 1803;
    float *x = malloc(sizeof *x * 4 * big), *y = malloc(sizeof *y * 4 * big),
        *out = calloc(8000000, sizeof *out);
    double *a = malloc(sizeof *a * big), *b = malloc(sizeof *b * big), *c = malloc(sizeof *c * 900 * 900);
    fill_floats(x, 4 * big), fill_floats(y, 4 * big), fill_doubles(a, big), fill_doubles(b, big),
        fill_doubles(c, 900 * 900);
    near(big, 7, out, x, y);
    show_floats("near", out, big);
    for (int dim = 3; dim < 14; dim += 6) {
        pairs(wide, wide - 2, dim, out, x, y);
        show_floats("pairs", out, (long)wide * (wide - 2));
    }
    pairs(4237, 1801, 13, out, x, y); // so many that a thread keeps columns and runs through rows
    show_floats("many pairs", out, 4237L * 1801);
    stencil(1301, 403, out, x);
    show_floats("stencil", out, 1301 * 403);
    product(131, c, a, b);
    show_doubles("product", c, 131 * 131);
    stream(big, a, b);
    show_doubles("stream", a, big);
    for (int dim = 1; dim < 5; dim++) {
        terms(1031, 27, dim, c, a, b, a + 5);
        show_doubles("terms", c, 1031);
    }
    for (int dim = 1; dim < 5; dim++) {
        outputs(137, dim, out, y, x);
        show_floats("one", out, 137 * 137 * dim);
        show_floats("two", y, 137 * 137 * dim * dim);
    }
    saved(1000, out, y, x);
    show_floats("saved", y, 1000);
    again(307, x, y);
    show_floats("again", x, 307 * 307), show_floats("rows", y, 307 * 307);
    free(x), free(y), free(out), free(a), free(b), free(c);
    return 0;
}
