// device 14
// forms.c -- while, switch, counters that run down, pointers that walk: other ways to write it.
#include "../suite.h"
#define N 40

static void down(unsigned n, int *a, const int *b) {
#pragma scop
    for (unsigned i = n; i-- > 0;) a[i] = b[i] + (int)i;
#pragma endscop
}
static void down_size(size_t n, double *a) {
#pragma omp parallel for
    for (size_t i = 0; i < n; i++)
        for (size_t j = n; j-- != 0;) a[i * n + j] = (double)(i + 2 * j);
}
static void down_int(int n, int *a) {
#pragma scop
    for (int i = n; i--;) a[i] += i;
#pragma endscop
}
static void down_order(unsigned n, int *a) { // each uses the one behind it
#pragma scop
    for (int k = 0; k < 3; k++)
        for (unsigned i = n - 1; i-- > 0;) a[i] += a[i + 1] / 2;
#pragma endscop
}
static int whiles(int n, int m, double *a) {
    int i, j;
#pragma scop
    i = 0;
    while (i < n) {
        j = 0;
        while (j < m) {
            a[i * m + j] = i - 0.5 * j;
            j++;
        }
        i++;
    }
#pragma endscop
    return i * 100 + j;
}
static int while_step(int n, int from, double *a) {
    int i = from;
#pragma scop
    while (i < n) {
        double t = i * 0.5;
        a[i] = t * t;
        i += 3;
    }
#pragma endscop
    return i;
}
static void for_body(int n, double *a) {
#pragma scop
    for (int i = 0; i < n;) {
        a[i] = 2.0 * i;
        ++i;
    }
#pragma endscop
}
static void inner_while(int n, int m, double *a, double *s) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int k = m;
        double t = 0;
        while (k > 0) {
            t += a[i * m + k - 1];
            k--;
        }
        s[i] = t;
    }
}
static void kinds(int n, const int *kind, int *out) {
#pragma scop
    for (int i = 0; i < n; i++) {
        switch (kind[i]) {
        case 0: out[i] = 5; break;
        case 1:
        case 2: {
            int t = i * 2;
            out[i] = t + 1;
            break;
        }
        case -3:
            for (int k = 0; k < 3; k++) out[i] += k;
            break;
        default: out[i] = -1;
        }
    }
#pragma endscop
}
enum colour { RED, GREEN = 4, BLUE };
static int of_colour(enum colour c, int x) {
    switch (c) {
    case RED: return x;
    case GREEN: return 2 * x;
    case BLUE: return 3 * x;
    default: return 0;
    }
}
static void colours(int n, int *out) {
#pragma scop
    for (int i = 0; i < n; i++) out[i] = of_colour((enum colour)(i % 6), i);
#pragma endscop
}
static void no_default(int n, const int *kind, int *out) {
#pragma scop
    for (int i = 0; i < n; i++) {
        out[i] = 0;
        switch (kind[i] + 1) {
        case 1: out[i] = 1; continue;
        case 2: break;
        case 3: out[i] = 3;
        }
        out[i] += 10;
    }
#pragma endscop
}
static void falls(int n, const int *kind, int *out) { // stays on the host
#pragma scop
    for (int i = 0; i < n; i++) {
        switch (kind[i]) {
        case 0: out[i] += 1;
        case 1: out[i] += 2; break;
        default: out[i] += 4;
        }
    }
#pragma endscop
}
static void skips(int n, int *a) { // a while with continue: stays on the host
    int i = 0;
#pragma scop
    while (i < n) {
        if (a[i] == 3) {
            i += 2;
            continue;
        }
        a[i] = 7;
        i++;
    }
#pragma endscop
}
static int exact(int n, int *a) { // the counter afterwards
    unsigned i;
#pragma scop
    for (i = 0; i < (unsigned)n;) {
        a[i] = 1;
        i++;
    }
#pragma endscop
    return (int)i;
}
static void walks(int n, float *dst, const float *src) {
    for (int k = 0; k < 2; k++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            const float *p = src + 2 * i;
            float s = 0;
            int c = 0;
            while (c < 2) {
                s += p[c];
                c++;
            }
            dst[i] = s + k;
        }
    }
}

int main(void) {
    int a[N], b[N], kind[N];
    double d[N * N], s[N];
    float f[2 * N], g[2 * N];
    fill_ints(a, N, 50), fill_ints(b, N, 50), fill_doubles(d, N * N), fill_floats(f, 2 * N);
    for (int i = 0; i < N; i++) kind[i] = i % 7 - 3;
    down(N, a, b), show_ints("down", a, N);
    down(0, a, b), show_ints("down none", a, N);
    down_size(9, d), show_doubles("down size", d, 81);
    down_int(N, a), down_int(0, a), show_ints("down int", a, N);
    down_order(N, a), show_ints("down order", a, N);
    printf("%d\n", whiles(7, 11, d)), show_doubles("whiles", d, 77);
    printf("%d\n", whiles(1, 0, d));
    printf("%d\n", while_step(N, 4, d)), show_doubles("step", d, N);
    printf("%d\n", while_step(3, 4, d));
    for_body(N, d), show_doubles("for body", d, N);
    inner_while(8, 12, d, s), show_doubles("inner", s, 8);
    kinds(N, kind, a), show_ints("kinds", a, N);
    colours(N, a), show_ints("colours", a, N);
    no_default(N, kind, a), show_ints("no default", a, N);
    falls(N, kind, a), show_ints("falls", a, N);
    a[5] = 3, skips(N, a), show_ints("skips", a, N);
    printf("%d %d\n", exact(N, a), exact(0, a)), show_ints("exact", a, N);
    walks(N, g, f), show_floats("walks", g, N);
    return 0;
}
