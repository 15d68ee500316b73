// device 31
// jumps.c -- switch, goto, break, return and several conditions, in the spellings that programs have.
#include "../suite.h"
#include <stdbool.h>
#define MAX(x, y) ({ __typeof__(x) _x = (x); __typeof__(y) _y = (y); _x > _y ? _x : _y; })
// ---- switch ----
static void falls(int n, int *a) {
#pragma scop
    for (int i = 0; i < n; i++)
        switch (a[i] % 5) {
        case 0: a[i] = 1; // falls through
        case 3: a[i] += 2; break;
        default: a[i] -= 7; // falls through
        case 1: case 2: a[i] *= 3;
        }
#pragma endscop
}
enum { RED, GREEN, BLUE };
static void leaves_early(int n, int *a, int *b) {
#pragma sculpt
    for (int i = 0; i < n; i++) {
        switch (a[i]++ % 3) {
        case RED: b[i] = 1; continue;
        case GREEN: { int t = a[i]; b[i] = t * t; } break;
        case BLUE: if (b[i] > 3) break; b[i] = 9; break;
        }
        b[i] += 100;
    }
}
static void ranges(int n, const int *a, char *kind) {
#pragma sculpt
    for (int i = 0; i < n; i++)
        switch (a[i]) {
        case 0 ... 9: kind[i] = 'd'; break;
        case 10 ... 35: kind[i] = 'l'; break;
        case 40: case 44 ... 50: kind[i] = '+'; break;
        default: kind[i] = '?';
        }
}
// ---- goto, labels ----
static void skips(int n, float *a) {
#pragma sculpt
    for (int i = 0; i < n; i++) {
        if (a[i] > 0.3f) goto next;
        if (a[i] < 0) { a[i] = -a[i]; goto half; }
        a[i] = 2;
    half:
        a[i] *= 0.5f;
    next:;
    }
}
static void named(int n, float *a) {
#pragma scop
    for (int i = 0; i < n; i++) {
    S1: a[i] = i * 0.25f;
    }
#pragma endscop
}
static void out_of_two(int n, int m, int t[n][m], int *r) {
#pragma sculpt
    for (int i = 0; i < n; i++) {
        r[i] = -1;
        for (int j = 0; j < m; j++)
            for (int k = 0; k < 3; k++)
                if (t[i][j] == 3 * k + 1) { r[i] = j; goto found; }
        r[i] = -2;
    found:
        r[i] *= 2;
    }
}
static int behind(int n, double *a) { // jumps around the region, and counters that nobody needs
    int i, j;
    if (n < 0) goto out;
    switch (n) { case 1: a[0] = 2; break; case 2: a[1] = 1; }
#pragma sculpt
    for (i = 0; i < n; i++)
        for (j = 0; j < 2; j++) a[i] += j;
    if (n > 1000) goto again;
    for (i = 0; i < 2; i++) a[i] += 1;
    return 0;
again:
    for (j = 1; j < 2; j++) a[0] = j;
out:
    return n;
}
static int counted(int n, double *a) { // … and one that somebody does
    int i;
#pragma sculpt
    for (i = 0; i < n; i++) a[i] += 1;
    if (n > 3) goto out;
    return 0;
out:
    return i;
}
// ---- break ----
static void bounded(int n, int m, double *a) {
#pragma sculpt
    for (int i = 0; i < n; i++) {
        if (i >= m) break;
        a[i] = 2 * i;
    }
}
static int both(int n, int m, double *a) {
    int i;
#pragma sculpt
    for (i = 3; i < n && i <= m; i += 2) a[i] = 2 * i;
    return i;
}
static int down(int n, int m, double *a) {
    int i;
#pragma sculpt
    for (i = n; i >= 0 && i > m; i--) a[i] = 3 * i;
    return i;
}
static void band(int n, int w, double a[n][n], const double *x, double *y) {
#pragma sculpt
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int j = i - w; j <= i + w; j++) {
            if (j < 0) continue;
            if (j >= n) break;
            s += a[i][j] * x[j];
        }
        y[i] = s;
    }
}
static void lower(int n, double a[n][n]) {
#pragma sculpt
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            if (j > i) break;
            a[i][j] += 1;
        }
}
static void lengths(int n, int m, int t[n][m], int *len) {
#pragma sculpt
    for (int i = 0; i < n; i++) {
        int l = 0;
        while (l < m && t[i][l] % 7 != 1) l++;
        len[i] = l;
    }
}
static void places(int n, int m, int t[n][m], int *at) {
#pragma sculpt
    for (int i = 0; i < n; i++) {
        int j, k;
        for (j = 0; j < m; j++)
            if (t[i][j] == 12) break;
        for (k = m - 1; k >= 0 && t[i][k] != 5; k--);
        at[i] = 100 * j + k;
    }
}
static void several(int n, int m, int t[n][m], int *at) {
#pragma sculpt
    for (int i = 0; i < n; i++) {
        int j, k = i, l = 0;
        for (j = 1, k++; j < m; j++, k += 2) {
            if (t[i][j] > 25) continue;
            if (t[i][j] == 11) break;
        }
        for (int o = m - 1; o >= 0; o--, l++) {
            if (t[i][o] > 25) continue;
            if (t[i][o] == 2) break;
        }
        at[i] = 10000 * j + 100 * k + l;
    }
}
static void steps(int n, const int *a, int *c) {
#pragma sculpt
    for (int i = 0; i < n; i++) {
        int x = a[i], k = 0;
        for (;;) {
            if (x <= 1) break;
            x = x & 1 ? 3 * x + 1 : x / 2;
            if (++k > 50) break;
        }
        c[i] = k;
    }
}
static void goes_on(int n, const int *a, int *c) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int k = 0, j = 0;
        do {
            k++;
            if (k == 2) continue;
            c[i] += k;
            if (c[i] > 300) break;
        } while (k < a[i] % 10);
        for (;; j++) {
            if (j == 3) continue;
            if (j > a[i] % 8) break;
            c[i] -= j;
        }
        c[i] = 100 * c[i] + 10 * k + j;
    }
}
// ---- return ----
static inline double limited(double x, double lo, double hi) {
    if (x < lo) return lo;
    if (x > hi) return hi;
    return x;
}
static void limits(int n, double *a) {
#pragma sculpt
    for (int i = 0; i < n; i++) a[i] = limited(a[i], 0.1, 0.5);
}
static int find(const int *a, int n, int x) {
    for (int k = 0; k < n; k++)
        if (a[k] == x) return k;
    return -1;
}
static void finds(int n, int m, const int *t, const int *a, int *b) {
#pragma sculpt
    for (int i = 0; i < n; i++) b[i] = find(t, m, a[i]);
}
static double root(double a) {
    double x = a;
    for (int it = 0; it < 50; it++) {
        double y = 0.5 * (x + a / x);
        if (fabs(y - x) < 1e-14) return y;
        x = y;
    }
    return x;
}
static void roots(int n, const double *a, double *b) {
#pragma sculpt
    for (int i = 0; i < n; i++) b[i] = root(fabs(a[i]) + 1);
}
static int is_prime(int p) {
    if (p < 2) return 0;
    for (int d = 2; d * d <= p; d++)
        if (p % d == 0) return 0;
    return 1;
}
static void primes(int n, int *f) {
#pragma sculpt
    for (int i = 0; i < n; i++) f[i] = is_prime(i);
}
static void grow(int n, double *v) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 5; j++) {
            if (v[j] > 4) return;
            v[j] += i;
        }
}
static void grown(int n, double (*v)[8]) {
#pragma sculpt
    for (int i = 0; i < n; i++) grow(6, v[i]);
}
// ---- expressions ----
static void statements_inside(int n, const double *a, double *b) {
#pragma sculpt
    for (int i = 0; i < n; i++) b[i] = MAX(a[i], 0.25) + MAX(MAX(i, 3), 4);
}
static void commas(int n, double *a, double *b) {
#pragma sculpt
    for (int i = 0, j = n - 1; i < n; i++, j--) b[i] = (a[j] += 1, a[j] * 2);
}
static void walks(int n, double *a, const double *b) {
    double *p = a;
#pragma sculpt
    for (int i = 0; i < n; i++) *p++ = 2 * *b++;
}
static void narrow(int n, const double *a, bool *b, char *c, unsigned char *d) {
#pragma sculpt
    for (int i = 0; i < n; i++) {
        b[i] = a[i] > 0;
        c[i] += d[i];
        d[i] = c[i] >> 1 | b[i];
        d[i]++;
        c[i] -= 'a';
        b[i] |= c[i] > 5;
    }
}
typedef enum { SOLID, FLUID = 4, GAS } Kind;
static void kinds(int n, Kind *k, int *c) {
#pragma sculpt
    for (int i = 0; i < n; i++) {
        if (k[i] == SOLID) k[i] = FLUID;
        else if (k[i] != GAS) k[i]++;
        c[i] = k[i] == FLUID ? 1 : k[i] == GAS ? 2 : 0;
    }
}
static void rows_of(int n, double (*a)[16], double (*restrict b)[16]) {
#pragma sculpt
    for (int i = 0; i < n; i++) {
        double *row = a[i];
        for (int j = 0; j < 16; j++) row[j] = b[i][j] * ((double *)b)[j];
    }
}

enum { N = 500 };
static double a[N], b[N], sq[40][40], wide[40][16], wider[40][16], eights[30][8];
static float f[N];
static int x[N], y[N], t[40][12];
static char c[N];
static unsigned char u[N];
static bool q[N];
static Kind k[N];

static void data(void) {
    fill_doubles(a, N), fill_doubles(b, N), fill_doubles(sq[0], 1600), fill_doubles(wide[0], 640);
    fill_doubles(wider[0], 640), fill_doubles(eights[0], 240), fill_floats(f, N);
    fill_ints(x, N, 60), fill_ints(y, N, 50), fill_ints(t[0], 480, 30);
    for (int i = 0; i < N; i++) c[i] = x[i], u[i] = 3 * y[i], k[i] = x[i] % 3 ? 3 + x[i] % 3 : 0;
}
static void chars(const char *name, const void *p) {
    int v[N];
    for (int i = 0; i < N; i++) v[i] = ((const char *)p)[i];
    show_ints(name, v, N);
}
// A loop that is left by return stands in another one; what is computed behind it is the host's at once.
static int first_of(int n, int m, const int *t, int key) {
    for (int i = 0; i < n; i++) {
#pragma sculpt
        for (int j = 0; j < m; j++)
            if (t[i * m + j] == key) return i * m + j;
    }
    return -1;
}
__attribute__((noinline)) static int found(int n, int *a, const int *t, int key) {
    volatile char deeper[512];
    deeper[key & 511] = 1;
    int at = first_of(n, 3, t, key);
#pragma sculpt
    for (int i = 0; i < n; i++) a[i] = 3 * i + at;
    return a[n - 1] + deeper[key & 511];
}
__attribute__((noinline)) static int deep(int n, int *a, const int *t, int key) {
    volatile char deeper[8192];
    deeper[key & 4095] = 1;
    return first_of(n, 3, t, key) + found(n, a, t, -7) + deeper[key & 4095];
}
int main(void) {
    data();
    falls(N, x), show_ints("falls", x, N);
    data();
    leaves_early(N, x, y), show_ints("early", y, N);
    ranges(N, x, c), chars("ranges", c);
    skips(N, f), show_floats("skips", f, N);
    named(N - 3, f), show_floats("named", f, N);
    out_of_two(40, 12, t, y), show_ints("out", y, 40);
    printf("%d %d\n", behind(N, a), behind(-1, a)), show_doubles("behind", a, N);
    printf("%d %d\n", counted(N, a), counted(2, a));
    bounded(N, 100, a), bounded(100, N, b), show_doubles("bounded", a, N), show_doubles("bounded", b, N);
    for (int m = -1; m < 12; m += 4) printf("%d %d %d %d\n", both(9, m, a), both(2, m, b), down(9, m, a),
                                            down(-3, m, b));
    show_doubles("both", a, N), show_doubles("down", b, N);
    band(40, 5, sq, a, b), show_doubles("band", b, 40);
    lower(40, sq), show_doubles("lower", sq[0], 1600);
    lengths(40, 12, t, y), show_ints("lengths", y, 40);
    places(40, 12, t, y), show_ints("places", y, 40);
    several(40, 12, t, y), show_ints("several", y, 40);
    data();
    steps(N, x, y), show_ints("steps", y, N);
    goes_on(N, x, y), show_ints("on", y, N);
    finds(N, 90, x + 100, x, y), show_ints("finds", y, N);
    limits(N, a), show_doubles("limits", a, N);
    roots(N, b, a), show_doubles("roots", a, N);
    primes(N, y), show_ints("primes", y, N);
    grown(30, eights), show_doubles("grown", eights[0], 240);
    statements_inside(N, a, b), show_doubles("inside", b, N);
    commas(N, a, b), show_doubles("commas", b, N);
    walks(N, a, b), show_doubles("walks", a, N);
    narrow(N, b, q, c, u), chars("narrow", q), chars("narrow", c), chars("narrow", u);
    kinds(N, k, y), show_ints("kinds", y, N);
    rows_of(40, wide, wider), show_doubles("rows", wide[0], 640);
    for (int i = 0; i < N; i++) x[i] = i % 7 ? i : 500;
    printf("found %d\n", found(N / 3, y, x, 500)), show_ints("found", y, N / 3);
    printf("deep %d\n", deep(N / 3, y, x, 5)), show_ints("deep", y, N / 3);
    return 0;
}
