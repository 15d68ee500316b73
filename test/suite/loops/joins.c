// device 6
// joins.c -- pointers that lead into one array or another, as a condition says.
#include "../suite.h"
enum { N = 600 };
typedef struct Rec {
    double v[3];
    int n;
} Rec;
static double a[N + 2], b[N + 2], o[N + 2];
static int ia[N], ib[N], ic[N];
static Rec ra[N], rb[N];

static double pick(const double *x, const double *y, int first, int i) {
    const double *p = first ? x : y;
    return p[i] + p[i + 1];
}
static void behind(void) {
#pragma sculpt
    for (int i = 0; i < N; i++) {
        double *p = a;
        if (i & 1) p = &b[i + 1];
        o[i] = *p;
    }
}
static void declared(void) {
#pragma sculpt
    for (int i = 0; i < N; i++) {
        const double *p = i % 3 ? &a[i] : &b[i];
        o[i] += p[0] + p[1] + pick(a, b, i % 3, i);
    }
}
static void three(void) {
#pragma sculpt
    for (int i = 0; i < N; i++) {
        double *p, s = 0;
        if (i & 1) p = a;
        else if (i & 2) p = b + 1;
        else p = a + 3;
        for (int k = 0; k < 5; k++) s += p[k];
        ic[i] = (int)s;
        o[i] += i > 10 ? 0 : 1;
    }
}
static void written(void) {
#pragma sculpt
    for (int i = 0; i < N; i++) {
        int *w = i % 4 == 3 ? ia : ib;
        w[i] = i;
        w = i & 8 ? ic : w;
        w[i] += 1;
    }
}
static void fields(void) {
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        Rec *r = i & 1 ? ra + i : &rb[N - 1 - i];
        const double *v = r->v;
        if (r->n > 50) {
            v = ra[3].v;
            r->n = 7;
        }
        o[i] = v[1] + v[2] * 2 + r->n;
        r->v[0] = o[i];
    }
}
static void swapped(void) {
#pragma sculpt
    for (int i = 0; i < N; i++) {
        const double *p = a, *q = b;
        if (a[i] > 5) {
            const double *t = p;
            p = q;
            q = t;
        }
        o[i] = p[i] - 2 * q[i];
        if (o[i] < 0) continue;
        p = i & 1 ? p : q;
        o[i] += p[1];
    }
}
int main(void) {
    fill_doubles(a, N + 2), fill_doubles(b, N + 2);
    for (int i = 0; i < N; i++) {
        a[i] *= 10, a[i] = (int)a[i], b[i] = i * 0.25;
        ra[i].n = i, rb[i].n = -i, ra[i].v[1] = i, rb[i].v[2] = 3;
        ia[i] = i * 3 % 7, ib[i] = i * 5 % 11;
    }
    behind(), declared(), three();
    show_doubles("o", o, N), show_ints("ic", ic, N);
    written();
    show_ints("ia", ia, N), show_ints("ib", ib, N), show_ints("ic", ic, N);
    fields();
    show_doubles("o", o, N);
    for (int i = 0; i < N; i++) o[i] = ra[i].v[0] + 2 * rb[i].v[0] + 3 * ra[i].n + 4 * rb[i].n;
    show_doubles("records", o, N);
    swapped();
    show_doubles("o", o, N);
    return 0;
}
