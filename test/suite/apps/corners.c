// device 29
// corners.c -- what tests of polyhedral compilers are made of: quotients, strides, guards, dead code,
// local arrays, pointers of all kinds, counters of all types.
#include "../suite.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#define S 60

static int out[4 * S], in[4 * S];
static void quotient(int n) { // parallel
#pragma scop
    for (int i = 0; i < n; i++) out[i] = in[i / 2] + in[i % 5] * 2;
#pragma endscop
}
static void folded(int n) { // parallel: two per turn, by rest
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 2; j++) out[2 * i + j] = in[(2 * i + j) / 3] - j;
#pragma endscop
}
static void rest_2(int n) { // parallel over nothing but two places: serial
#pragma sculpt
    for (int i = 0; i < n; i++) out[i % 2] = in[i] + out[(i + 1) % 2];
}
static void only_even(int n) { // parallel
#pragma scop
    for (int i = 0; i < n; i++) {
        if (i % 2 == 0) out[i] = in[i];
        if (i % 2 == 1) out[i] = -in[i];
    }
#pragma endscop
}
static void parity_flow(int n) { // parallel: even places from odd ones
#pragma scop
    for (int i = 1; i < n; i++)
        if (i % 2 == 0) out[i] = out[i - 1] + 1;
#pragma endscop
}
static void ceiling(int n) { // parallel
#pragma scop
    for (int i = 0; i < (n + 3) / 4; i++)
        for (int j = 4 * i; j < (4 * i + 4 < n ? 4 * i + 4 : n); j++) out[j] = in[j] * i;
#pragma endscop
}
static void guards(int n, int m) { // parallel: conditions on parameters
#pragma scop
    if (n > m) {
        for (int i = m; i < n; i++) out[i] = 1;
    } else {
        for (int i = n; i < m; i++) out[i] = 2;
    }
    if (m == 7)
        for (int i = 0; i < 7; i++) out[i] += 3;
#pragma endscop
}
static int dead(int n) { // parallel: the first loop's values are never read
    int t = 4;
#pragma scop
    for (int i = 0; i < n; i++) out[i] = 99;
    for (int i = 0; i < n; i++) {
        t = i;
        out[i] = in[i] + t;
    }
    if (0)
        for (int i = 0; i < n; i++) out[i] = 1 / t;
#pragma endscop
    return t;
}
static int live_scalars(int n) { // parallel; the scalars keep their last values
    int last = -1, first = 3;
#pragma scop
    first = in[0];
    for (int i = 0; i < n; i++) out[i] = in[i] * first;
    last = out[n - 1];
#pragma endscop
    return first * 1000 + last;
}
struct pixel {
    unsigned char r, g, b, a;
};
struct field {
    int n;
    double *data;
    struct {
        float lo, hi;
    } range[2];
};
static void pixels(struct pixel *p, int n) { // parallel
#pragma scop
    for (int i = 0; i < n; i++) {
        unsigned grey = (77u * p[i].r + 150u * p[i].g + 29u * p[i].b) >> 8;
        p[i].r = p[i].g = p[i].b = (unsigned char)grey;
        p[i].a = grey > 128 ? 255 : p[i].a;
    }
#pragma endscop
}
static void descriptor(struct field *f, const struct field *g) { // parallel
#pragma scop
    for (int i = 0; i < f->n; i++) f->data[i] = g->data[i] * f->range[1].hi + f->range[0].lo;
#pragma endscop
}
static void struct_copy(struct pixel *p, const struct pixel *q, int n) { // parallel
#pragma scop
    for (int i = 0; i < n; i++) p[i] = q[n - 1 - i];
#pragma endscop
}
static void variable_array(int n, int m) { // parallel
    double v[n][m], w[m];
    for (int j = 0; j < m; j++) w[j] = j * 0.5;
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) v[i][j] = w[j] * i;
#pragma endscop
    show_doubles("vla", &v[0][0], (long)n * m);
}
static void array_parameters(int n, int m, float A[n][m], float B[static n][m], const float v[]) { // parallel
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) A[i][j] = B[i][j] + v[j];
#pragma endscop
}
static void pointer_to_rows(int n, int m, float (*A)[m], float (*restrict B)[m]) { // parallel
#pragma scop
    for (int i = 1; i < n; i++)
        for (int j = 0; j < m - 1; j++) A[i][j] = B[i - 1][j + 1];
#pragma endscop
}
static void offsets(float *p, int n) { // parallel: p moved before the loop
    float *q = p + n, *r = &p[2 * n];
#pragma scop
    for (int i = 0; i < n; i++) *(q + i) = p[i] + *(r + n - 1 - i) + (q + i)[n];
#pragma endscop
}
static void negative(float *p, int n) { // parallel: subscripts below the pointer
    float *end = p + n;
#pragma scop
    for (int i = 1; i <= n; i++) end[-i] = (float)i;
#pragma endscop
}
static void sizes(size_t n, float *p) { // parallel
#pragma scop
    for (size_t i = 0; i < n; i++) p[i] += (float)i;
#pragma endscop
}
static void unsigned_down(unsigned n, float *p) { // parallel: i-- > 0 in unsigned
#pragma sculpt
    for (unsigned i = n; i-- > 0;) p[i] *= 2.0f;
}
static void unsigned_up(unsigned n, unsigned m, float *p) { // parallel
#pragma scop
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < m; j++) p[i * m + j] += 1.0f;
#pragma endscop
}
static void long_counters(long long n, int64_t *p) { // parallel: 64-bit values
#pragma scop
    for (long long i = 0; i < n; i++) p[i] = i * 10000000019ll - (p[i] << 3);
#pragma endscop
}
static void small_types(int n, char *c, short *s, bool *b, uint16_t *u) { // parallel
#pragma scop
    for (int i = 0; i < n; i++) {
        c[i] += 100;
        s[i] = (short)(s[i] * s[i]);
        b[i] = s[i] & 6;
        u[i] -= 1;
    }
#pragma endscop
}
static void casts(int n, double *x, int *k, unsigned *u, float *f) { // parallel
#pragma scop
    for (int i = 0; i < n; i++) {
        k[i] = (int)x[i] + (int)(x[i] * 8.0);
        u[i] = (unsigned)(k[i] - 3) / 3u;
        f[i] = (float)u[i] + (float)(unsigned char)k[i];
        x[i] = (double)(float)x[i];
    }
#pragma endscop
}
static void bits(int n, unsigned *u, int *k) { // parallel
#pragma scop
    for (int i = 0; i < n; i++) {
        u[i] ^= u[i] << 13;
        u[i] ^= u[i] >> 17;
        u[i] ^= u[i] << 5;
        k[i] = (k[i] >> 3) | ((k[i] & 7) << 4);
        k[i] ^= (i & 1) ? ~0 : 0;
        k[i] += (u[i] >> (i % 32)) & 1u ? 1 : -1;
    }
#pragma endscop
}
static inline int clampi(int v, int lo, int hi) { return v < lo ? lo : v > hi ? hi : v; }
static void swap(int *p, int *q) {
    int t = *p;
    *p = *q;
    *q = t;
}
static int poly(const int *c, int n, int x) {
    int r = 0;
    for (int k = n - 1; k >= 0; k--) r = r * x + c[k];
    return r;
}
static void user_functions(int n, int *p, int *q, const int *c) { // parallel
#pragma scop
    for (int i = 0; i < n; i++) {
        p[i] = clampi(p[i], 10, 60);
        if (p[i] > q[i]) swap(&p[i], &q[i]);
        p[i] += poly(c, 4, i % 3);
    }
#pragma endscop
}
static void many_dims(void) { // parallel
    static int A[3][4][5][6];
#pragma scop
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 5; k++)
                for (int l = 0; l < 6; l++) A[i][j][k][l] = ((i * 4 + j) * 5 + k) * 6 + l;
#pragma endscop
    show_ints("dims", &A[0][0][0][0], 360);
}
static int counters_outside(int n) { // parallel
    int i, j = 0, k = 0;
#pragma scop
    for (i = 0; i < n; ++i) {
        for (j = n - 1; j > i; --j) out[j] = in[j] + k;
        k = 2;
    }
#pragma endscop
    return i * 100 + j * 10 + k;
}
// parallel
static void matrix_vector_strided(int n, int inc, const double *A, int lda, const double *x, double *y) {
#pragma scop
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int j = 0; j < n; j++) s += A[i * lda + j] * x[j * inc];
        y[i * inc] = s;
    }
#pragma endscop
}
static int comma_header(int n) { // parallel
    int i, j;
#pragma sculpt
    for (i = 0, j = n - 1; i < n; i++, j--) out[i] = in[j];
    return i + j;
}
static void overlap(float *dst, const float *src, int n) { // parallel where they don't overlap
#pragma scop
    for (int i = 0; i < n; i++) dst[i] = src[i] * 2.0f;
#pragma endscop
}

int main(void) {
    static float f[10 * S], g[10 * S];
    static double x[S * S], y[S * S];
    static int64_t w[S];
    static char c[S];
    static short s[S];
    static bool b[S];
    static uint16_t u16[S];
    static unsigned u[S];
    static struct pixel p[S], q[S];
    int coef[4] = {3, -1, 2, 1};
    fill_ints(in, 4 * S, 1000), fill_floats(f, 10 * S), fill_floats(g, 10 * S), fill_doubles(x, S * S),
        fill_doubles(y, S * S);
#define OUT(call) (call, show_ints(#call, out, 4 * S))
    OUT(quotient(4 * S)), OUT(quotient(0)), OUT(quotient(1)), OUT(folded(2 * S)), OUT(rest_2(S)),
        OUT(only_even(33)), OUT(parity_flow(S));
    OUT(ceiling(S + 1)), OUT(ceiling(0)), OUT(guards(20, 7)), OUT(guards(5, 9)), OUT(guards(7, 7));
    printf("%d", dead(S));
    printf(" %d", dead(0));
    printf(" %d\n", live_scalars(S));
    show_ints("out", out, 4 * S);
    for (int i = 0; i < S; i++) p[i] = (struct pixel){i * 4, i * 3, 255 - i, i}, q[i] = p[i];
    pixels(p, S);
    for (int i = 0; i < S; i++) out[i] = p[i].r + 3 * p[i].g + 5 * p[i].b + 7 * p[i].a;
    show_ints("pixels", out, S);
    struct_copy(p, q, S);
    for (int i = 0; i < S; i++) out[i] = p[i].r + 3 * p[i].g + 5 * p[i].b + 7 * p[i].a;
    show_ints("copied", out, S);
    struct field F = {S, x, {{0.5f, 1}, {2, 3.0f}}}, G = {S, y, {{0, 0}, {0, 0}}};
    descriptor(&F, &G), descriptor(&F, &F);
    show_doubles("descriptor", x, S);
    variable_array(5, 9), variable_array(1, 1);
    array_parameters(9, 11, (float(*)[11])f, (float(*)[11])g, f + 300);
    pointer_to_rows(7, 13, (float(*)[13])f, (float(*)[13])g), offsets(f, S), negative(f + 4 * S, S),
        sizes(S, f), unsigned_down(17, f), unsigned_down(0, f);
    unsigned_up(5, 7, f), unsigned_up(0, 3, f);
    show_floats("f", f, 10 * S);
    for (int i = 0; i < S; i++) w[i] = i * 77, c[i] = (char)i, s[i] = (short)(i * 5),
        u16[i] = (uint16_t)(i % 3), u[i] = 12345u * (unsigned)(i + 1);
    long_counters(S, w), small_types(S, c, s, b, u16);
    for (int i = 0; i < S; i++) out[i] = (int)(w[i] % 1000003) + c[i] + s[i] * 3 + b[i] * 1000 + u16[i];
    show_ints("small", out, S);
    for (int i = 0; i < S; i++) x[i] = i * 1.375 - 20;
    casts(S, x, out, u, f);
    show_ints("casts", out, S), show_floats("casts", f, S), show_doubles("casts", x, S);
    bits(S, u, out);
    show_ints("bits", out, S), show_ints("bits", (int *)u, S);
    user_functions(S, out, in, coef);
    show_ints("functions", out, S), show_ints("in", in, S);
    many_dims();
    printf("%d", counters_outside(S));
    printf(" %d", counters_outside(1));
    printf(" %d\n", counters_outside(0));
    fill_doubles(x, S * S);
    matrix_vector_strided(20, 2, x, 30, y, y + 100), matrix_vector_strided(20, 1, x, 20, y, y + 10);
    show_doubles("strided", y, 200);
    printf("%d\n", comma_header(S));
    show_ints("comma", out, S);
    overlap(f, g, S), overlap(f + 1, f, S), overlap(f, f + 1, S), overlap(f, f, S);
    show_floats("overlap", f, 2 * S);
    suite_use();
    return 0;
}
