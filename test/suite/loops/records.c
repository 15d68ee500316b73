// device 28
// records.c -- the greatest, the least, their places, the last that fulfils a condition: bit for bit, with
// NaN and both zeros.
#include "../suite.h"
#include <float.h>
#include <stdbool.h>
static void show(const char *name, double v) { // its bits, but of a NaN
    unsigned long bits;
    memcpy(&bits, &v, sizeof bits);
    if (v != v) printf("%s nan\n", name);
    else printf("%s %lx\n", name, bits);
}
// ---- values ----
static double greater(int n, const double *a, double m) {
#pragma sculpt
    for (int i = 0; i < n; i++)
        if (a[i] > m) m = a[i];
    return m;
}
static double not_less(int n, const double *a, double m) {
#pragma sculpt
    for (int i = 0; i < n; i++)
        if (a[i] >= m) m = a[i];
    return m;
}
static float less(int n, const float *a, float m) {
#pragma sculpt
    for (int i = n - 1; i >= 0; i--) m = a[i] < m ? a[i] : m;
    return m;
}
#define MAX(x, y) ((x) > (y) ? (x) : (y))
static double keeps(int n, const double *a, double m) {
#pragma sculpt
    for (int i = 0; i < n; i++) m = MAX(m, a[i]);
    return m;
}
static double keeps_less(int n, const double *a, double m) {
#pragma sculpt
    for (int i = 0; i < n; i++)
        if (!(m <= a[i])) m = a[i];
    return m;
}
static double functions(int n, const double *a, double m, float *f) {
    float l = FLT_MAX;
#pragma sculpt
    for (int i = 0; i < n; i++) {
        m = fmax(m, a[i]);
        l = fminf((float)a[i], l);
    }
    *f = l;
    return m + 0.0; // of which zero fmax gives C says nothing
}
static double distance(int n, const double *a, const double *b) {
    double m = 0;
#pragma sculpt
    for (int i = 0; i < n; i++) {
        double d = fabs(a[i] - b[i]);
        if (m < d) m = d;
    }
    return m;
}
static float widened(int n, const float *a) {
    float m = 0;
#pragma sculpt
    for (int i = 0; i < n; i += 2)
        if (fabs(a[i]) > m) m = fabs(a[i]);
    return m;
}
// ---- places ----
static int first_place(int n, const double *a, double *v) {
    double m = a[0];
    int k = 0;
#pragma sculpt
    for (int i = 1; i < n; i++)
        if (a[i] > m) {
            m = a[i];
            k = i;
        }
    *v = m;
    return k;
}
static int last_place(int n, const float *a, float *v) {
    float m = a[0];
    int k = 0;
#pragma sculpt
    for (int i = 1; i < n; i++)
        if (m >= a[i]) k = i, m = a[i];
    *v = m;
    return k;
}
static int place_alone(int n, const double *a, int k) {
#pragma sculpt
    for (int i = 1; i < n; i++)
        if (a[i] > a[k]) k = i;
    return k;
}
static int whole_place(int n, const int *a, int *v) {
    int m = a[0], k = 0;
#pragma sculpt
    for (int i = 1; i < n; i++)
        if (a[i] < m) m = a[i], k = 2 * i + 1;
    *v = m;
    return k;
}
static double in_rows(int n, int m, double a[n][m], int *r, int *c) {
    double best = a[0][0];
    int bi = 0, bj = 0;
#pragma sculpt
    for (int i = 0; i < n; i++)
        for (int j = m - 1; j >= 0; j--)
            if (fabs(a[i][j]) > best) {
                best = fabs(a[i][j]);
                bi = i;
                bj = j;
            }
    *r = bi, *c = bj;
    return best;
}
static int pivot(int n, int k, double a[n][n]) {
    int p = k;
    double m = fabs(a[k][k]);
#pragma sculpt
    for (int i = k + 1; i < n; i++)
        if (fabs(a[i][k]) > m) {
            m = fabs(a[i][k]);
            p = i;
        }
    return p;
}
static int strided(int n, int inc, const double *a, double *v) { // a NaN is taken here
    int k = 0, index = 0;
    double max = fabs(a[0]);
    k += inc;
#pragma sculpt
    for (int i = 1; i < n; i++) {
        if (!(fabs(a[k]) <= max)) {
            index = i;
            max = fabs(a[k]);
        }
        k += inc;
    }
    *v = max;
    return index;
}
struct Best { double v; int i; };
static struct Best in_struct(int n, const double *a, const unsigned char *ok) {
    struct Best b = {-1, -1};
#pragma sculpt
    for (int i = 0; i < n; i++)
        if (ok[i] && a[i] > b.v) {
            b.v = a[i];
            b.i = i;
        }
    return b;
}
// several in one loop, and more beside them
static double both(int n, const double *a, double *least, int *at) {
    double h = a[0], l = a[0];
    int k = 0, count = 0;
#pragma sculpt
    for (int i = 0; i < n; i++) {
        double x = 2 * a[i];
        if (x < l) l = x;
        if (x > h) h = x, k = i;
        if (x > 0.5) count++;
    }
    *least = l, *at = 1000 * k + count;
    return h;
}
// ---- conditions ----
static int last(int n, const int *a, int x) {
    int l = -1;
#pragma sculpt
    for (int i = 0; i < n; i++)
        if (a[i] == x) l = i;
    return l;
}
static int last_choice(int n, const int *a, int x) {
    int l = -1;
#pragma sculpt
    for (int i = n - 1; i >= 0; i--) l = a[i] == x ? i : l;
    return l;
}
static bool found(int n, const int *a, int x) {
    bool f = false;
#pragma sculpt
    for (int i = 0; i < n; i++)
        if (a[i] == x) f = true;
    return f;
}
static int none_below(int n, const int *a, int x) {
    int ok = 1;
#pragma sculpt
    for (int i = 0; i < n; i++)
        if (a[i] < x) ok = 0;
    return ok;
}
static int last_in_rows(int n, int m, int a[n][m], int x, int *c) {
    int r = -1;
#pragma sculpt
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (a[i][j] == x) {
                r = i;
                *c = j;
            }
    return r;
}
static double beside(int n, const double *a, double *b) {
    double p = -1;
#pragma sculpt
    for (int i = 0; i < n; i++) {
        b[i] = a[i] * 2;
        if (a[i] > 0.7) p = i * 0.5;
    }
    return p;
}
// ---- elements that are set, first places ----
typedef struct Point { double x, y; } Point;
static void box(int n, const Point *p, Point *lo, Point *hi) {
#pragma sculpt
    for (int i = 0; i < n; i++) {
        if (p[i].x < lo->x) lo->x = p[i].x;
        if (p[i].x > hi->x) hi->x = p[i].x;
        if (p[i].y < lo->y) lo->y = p[i].y;
        if (p[i].y >= hi->y) hi->y = p[i].y;
    }
}
enum { N = 3000 };
static int x[N];
static int first(int n, int v, int *behind) {
    int i;
    *behind = -1;
#pragma sculpt
    for (i = 2; i < n; i += 3)
        if (x[i] == v) {
            *behind = x[i + 1];
            break;
        }
    return i;
}
static int first_down(int n, int v) {
    int at = -7;
#pragma sculpt
    for (int i = n - 1; i >= 0; i--)
        if (x[i] > v) {
            at = 2 * i;
            break;
        }
    return at;
}
static int first_negative(int n, const double a[n]) {
    int i;
#pragma sculpt
    for (i = 0; i < n; i++)
        if (a[i] < 0) break;
    return i;
}
static int pointed(int n, const int *p, int v) { // whether what is behind the place is there is asked
    int i;
#pragma sculpt
    for (i = 0; i < n; i++)
        if (p[i] == v) break;
    return i;
}
// ---- what has to stay ----
static int prefixes(int n, const double *a, double *v) {
    double s = 0, m = -1;
    int k = -1;
#pragma sculpt
    for (int i = 0; i < n; i++) {
        s += a[i];
        if (s > m) m = s, k = i;
    }
    *v = m;
    return k;
}
static int changed(int n, double *a) {
    int k = 0;
#pragma sculpt
    for (int i = 1; i < n; i++) {
        if (a[i] > a[k]) k = i;
        a[i / 2] += 0.5;
    }
    return k;
}
static double a[N], b[N], sq[40][40];
static float f[N];
static int t[40][30];
static unsigned char u[N];
static void all(int n) {
    double v, l;
    float g;
    int w, r = -1, c = -1;
    show("greater", greater(n, a, -1)), show("greater", greater(n, a, NAN)),
        show("greater", greater(n, a, 0.0)), show("greater", greater(n, a, -0.0));
    show("not less", not_less(n, a, -9)), show("not less", not_less(n, a, -INFINITY)),
        show("not less", not_less(n, a, 0.0));
    show("less", less(n, f, 9)), show("less", less(n, f, NAN)), show("less", less(n, f, -0.0f));
    show("keeps", keeps(n, a, -3)), show("keeps", keeps(n, a, NAN)), show("keeps", keeps(n, a, 7)),
        show("keeps", keeps(n, a, 0.0));
    show("keeps less", keeps_less(n, a, 5)), show("keeps less", keeps_less(n, a, NAN)),
        show("keeps less", keeps_less(n, a, -0.0));
    show("functions", functions(n, a, -2, &g)), show("functions", g + 0.0f),
        show("functions", functions(n, a, NAN, &g));
    show("distance", distance(n, a, b)), show("widened", widened(n, f));
    printf("first %d", first_place(n, a, &v)), show("", v);
    printf("last %d", last_place(n, f, &g)), show("", g);
    printf("alone %d %d\n", place_alone(n, a, 0), place_alone(n, a, n / 2));
    printf("whole %d", whole_place(n, x, &w)), printf(" %d\n", w);
    printf("strided %d", strided(n / 3, 3, a, &v)), show("", v);
    struct Best s = in_struct(n, a, u);
    printf("struct %d", s.i), show("", s.v);
    v = both(n, a, &l, &w);
    printf("both %d", w), show("", v), show("", l);
    printf("last %d %d %d\n", last(n, x, 7), last(n, x, -1), last_choice(n, x, 11));
    printf("found %d %d %d %d\n", found(n, x, 7), found(n, x, -1), none_below(n, x, 0), none_below(n, x, 3));
    printf("rows %d", last_in_rows(40, n % 30, t, 5, &c)), printf(" %d\n", c);
    printf("firsts %d %d", first(n, 17, &w), first(n, -5, &r)), printf(" %d %d\n", w, r);
    printf("firsts %d %d %d %d\n", first_down(n, 38), first_down(n, 99), first_negative(n, a),
           first_negative(0, a));
    printf("firsts %d\n", pointed(1 << 30, x, x[n / 2]));
    Point lo = {9, NAN}, hi = {-9, -9};
    box(n / 2, (Point *)a, &lo, &hi), show("box", lo.x), show("box", lo.y), show("box", hi.x),
        show("box", hi.y);
    show("beside", beside(n, a, b));
    v = in_rows(40, 40, sq, &r, &c);
    printf("in rows %d %d", r, c), show("", v);
    printf("pivots %d %d %d\n", pivot(40, 0, sq), pivot(40, 17, sq), pivot(40, 39, sq));
    printf("prefixes %d", prefixes(n, a, &v)), show("", v);
}
int main(void) {
    fill_doubles(a, N), fill_doubles(b, N), fill_doubles(sq[0], 1600), fill_floats(f, N), fill_ints(x, N, 40),
        fill_ints(t[0], 1200, 50);
    for (int i = 0; i < N; i++) u[i] = x[i] % 3 != 0;
    all(N), all(1), all(2), all(77);
    for (int i = 0; i < N; i++) a[i] = -fabs(a[i]), f[i] = fabsf(f[i]); // zeros are the best
    for (int i = 500; i < N; i += 300) a[i] = x[i] & 1 ? 0.0 : -0.0, f[i] = x[i] & 2 ? 0.0f : -0.0f,
        sq[i % 40][i / 100] = a[i];
    all(N), all(501), all(1000);
    for (int i = 5; i < N; i += 700) a[i] = f[i] = NAN;
    all(N), all(6), all(710), all(1406);
    for (int i = 0; i < N; i++) a[i] = x[i] < 20 ? -0.0 : 0.0, f[i] = -a[i];
    all(N);
    for (int i = 0; i < 100; i++) a[i] = f[i] = NAN;
    all(50), all(101), all(N);
    for (int i = 0; i < N; i++) a[i] = -INFINITY, f[i] = INFINITY;
    all(N), all(0 + 1);
    printf("%d\n", changed(N, b));
    show("none", greater(0, a, 2)), show("none", keeps(0, a, NAN)), show("none", not_less(-5, a, -INFINITY));
    printf("none %d\n", last(0, x, 7));
    return 0;
}
