// device 29
// traps.c -- places where it is easy to be wrong: overlap, memory that comes and goes, values that
// survive, wrapping, empty ranges, data that the host touches between regions.
#include "../suite.h"
#include <limits.h>
#include <stdint.h>
#define N 300

// ---- overlap ---------------------------------------------------------------------------------
static void copy(double *to, const double *from, int n) {
#pragma scop
    for (int i = 0; i < n; i++) to[i] = from[i] + 1;
#pragma endscop
}
static void sum3(double *a, double *b, double *c, int n) {
#pragma scop
    for (int i = 0; i < n; i++) a[i] = b[i] * 2 + c[n - 1 - i];
#pragma endscop
}
static void scaled_by(double *a, const double *s, int n) { // s may be one of a's elements
#pragma scop
    for (int i = 0; i < n; i++) a[i] *= *s;
#pragma endscop
}
static void bounded_by(int *a, const int *n) { // n may be one of a's elements
#pragma scop
    for (int i = 0; i < *n; i++) a[i] = 7;
#pragma endscop
}
static void tile(int n, int lda, double *a, double *b) { // rows of two tiles of one matrix
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) a[i * lda + j] = b[j * lda + i];
#pragma endscop
}
static void bytes_and_words(unsigned char *p, unsigned *w, int n) { // chars may alias anything
#pragma scop
    for (int i = 0; i < n; i++) {
        w[i] = w[i] * 3u;
        p[i] = (unsigned char)(w[i] >> 8);
    }
#pragma endscop
}
struct pair {
    int a, b;
};
static void fields_and_whole(struct pair *p, int *whole, int n) { // two types of one memory
#pragma scop
    for (int i = 0; i < n; i++) p[i].a = whole[i] + p[i].b;
#pragma endscop
}
static void overlap(void) {
    static double m[40 * 40], v[3 * N];
    static int k[3 * N];
    static unsigned w[N];
    static struct pair p[N];
    fill_doubles(v, 3 * N), fill_doubles(m, 1600), fill_ints(k, 3 * N, 50);
    copy(v + 1, v, N), copy(v, v + 1, N), copy(v, v, N), copy(v + N, v, N);
    sum3(v, v + N, v + N, N), sum3(v, v, v, N), sum3(v, v + 5, v + 2 * N, N), sum3(v + 7, v, v, 7);
    scaled_by(v, v + 10, N), scaled_by(v, v + N - 1, N), scaled_by(v, v + 2 * N, N);
    show_doubles("v", v, 3 * N);
    k[3] = 20, bounded_by(k, k + 3), k[100] = 30, bounded_by(k, k + 100), bounded_by(k, k + 1);
    show_ints("k", k, 3 * N);
    tile(20, 40, m, m + 20), tile(20, 40, m, m + 20 * 40), tile(20, 40, m + 10, m), tile(20, 40, m, m),
        tile(10, 1, m, m + 500);
    show_doubles("m", m, 1600);
    for (int i = 0; i < N; i++) w[i] = (unsigned)i * 2654435761u, p[i] = (struct pair){i, i * 3};
    bytes_and_words((unsigned char *)w, w, 64), bytes_and_words((unsigned char *)(w + 100), w, 64);
    show_ints("w", (int *)w, N);
    fields_and_whole(p, k, N), fields_and_whole(p, &p[0].b, N / 4), fields_and_whole(p, &p[0].a, 2 * N / 4);
    show_ints("p", (int *)p, 2 * N);
}

// ---- memory that comes and goes -----------------------------------------------------------------
static double work(int n, int seed) { // a new block each time, often at the old place
    double *x = malloc(sizeof(double) * (size_t)n), s = 0;
    for (int i = 0; i < n; i++) x[i] = i + seed;
#pragma omp parallel for
    for (int i = 0; i < n; i++) x[i] = x[i] * 2;
    for (int i = 0; i < n; i++) s += x[i];
    free(x);
    return s;
}
static double on_stack(int depth) {
    double x[64], s = 0;
    for (int i = 0; i < 64; i++) x[i] = i * depth;
#pragma scop
    for (int i = 0; i < 64; i++) x[i] = x[i] + 1;
#pragma endscop
    if (depth > 0) s = on_stack(depth - 1);
    for (int i = 0; i < 64; i++) s += x[i];
    return s;
}
static void grows(void) {
    int n = 10;
    double *x = malloc(sizeof(double) * 10);
    for (int i = 0; i < 10; i++) x[i] = i;
    while (n < 2000) {
#pragma scop
        for (int i = 0; i < n; i++) x[i] = x[i] * 0.5 + 1;
#pragma endscop
        x = realloc(x, sizeof(double) * 2 * (size_t)n);
        memcpy(x + n, x, sizeof(double) * (size_t)n);
        n *= 2;
    }
    show_doubles("grown", x, n);
    free(x);
}
static void moved(void) {
    static double x[N], y[N];
    fill_doubles(x, N), memset(y, 0, sizeof y);
    for (int t = 0; t < 4; t++) {
#pragma scop
        for (int i = 0; i < N; i++) y[i] += x[i];
#pragma endscop
        memmove(x + 1, x, sizeof(double) * (N - 1));
        y[t] = -1;
    }
    show_doubles("moved", y, N);
}

// ---- what survives -------------------------------------------------------------------------------
static void survivors(int n) {
    static int a[N];
    int i = 77, j = 88, last = -1, best = -5, count = 0;
    memset(a, 0, sizeof a);
#pragma scop
    for (i = 0; i < n; i++)
        for (j = i; j < n; j += 3) a[j] = a[j] + i;
#pragma endscop
    printf("i %d j %d\n", i, j);
#pragma scop
    for (i = 2; i < n; i++) {
        last = a[i];
        if (a[i] % 5 == 0) best = i;
        if (a[i] % 3 == 0) count++;
    }
#pragma endscop
    printf("i %d last %d best %d count %d\n", i, last, best, count);
    show_ints("a", a, N);
}
static void gaps(int n) { // what isn't written keeps the host's value
    static short s[N];
    static char c[N];
    for (int i = 0; i < N; i++) s[i] = (short)i, c[i] = (char)i;
#pragma scop
    for (int i = 0; i < n; i += 7) {
        s[i] = -1;
        if (i % 2) c[i] = 0;
    }
#pragma endscop
    int sum = 0;
    for (int i = 0; i < N; i++) sum = (sum * 31 + s[i] + c[i]) % 1000003;
    printf("gaps %d\n", sum);
}

// ---- numbers -----------------------------------------------------------------------------------------
static void wrapping(unsigned n, unsigned off) {
    static unsigned a[N], b[N];
    for (unsigned i = 0; i < N; i++) a[i] = i, b[i] = 0;
#pragma scop
    for (unsigned i = 0; i < n; i++) b[i] = a[(i - off) % N] + a[i] * 4000000000u - off;
#pragma endscop
    show_ints("wrap", (int *)b, N);
}
static void back_from(unsigned n, unsigned from) { // from - i wraps when n > from
    static unsigned a[N];
    for (unsigned i = 0; i < N; i++) a[i] = i;
    if (n > from + 1) n = from + 1;
#pragma scop
    for (unsigned i = 0; i < n; i++) a[from - i] += 5;
#pragma endscop
    show_ints("back", (int *)a, N);
}
static void small_counters(void) {
    static int a[N];
    for (int i = 0; i < N; i++) a[i] = i;
#pragma scop
    for (unsigned char i = 0; i < 200; i++) a[i] += 3;
#pragma endscop
#pragma scop
    for (signed char i = -100; i < 100; i++) a[i + 100] *= 2;
#pragma endscop
#pragma scop
    for (short i = N - 1; i >= 0; i--) a[i] -= i;
#pragma endscop
#pragma scop
    for (int i = 0; i < N; i++) a[i] += (int)(unsigned char)(i * 1) + (signed char)i;
#pragma endscop
    show_ints("small", a, N);
}
static void divisions(void) {
    static int a[N], b[N];
    for (int i = 0; i < N; i++) a[i] = i - 150, b[i] = i % 2 ? i + 1 : -i - 1;
#pragma scop
    for (int i = 0; i < N; i++) {
        int q = a[i] / b[i], r = a[i] % b[i];
        a[i] = q * 1000 + r + (a[i] >> 2) + (i - 150) / 4 + (i - 150) % 4;
    }
#pragma endscop
    show_ints("div", a, N);
}
static void extremes(void) {
    static long long a[N];
    static double d[N];
    static float f[N];
    for (int i = 0; i < N; i++) a[i] = i % 2 ? LLONG_MAX - i : LLONG_MIN + i;
#pragma scop
    for (int i = 0; i < N; i++) {
        d[i] = (double)a[i];
        f[i] = (float)a[i];
        a[i] = a[i] / 3 + (a[i] & 0xff) + (long long)((unsigned long long)a[i] >> 60);
    }
#pragma endscop
    unsigned long long h = 0;
    for (int i = 0; i < N; i++) h = h * 31 + (unsigned long long)a[i];
    printf("%llu ", h);
    show_doubles("extreme", d, N), show_floats("extreme", f, N);
}
static void special(void) { // NaN, infinities and zeros through comparisons
    static double x[8] = {0.0, -0.0, 1.0 / 0.0, -1.0 / 0.0, 1e308, 5e-324, -1.0, 2.0};
    static int c[64];
    static double least[8];
    double zero = 0.0;
    x[6] = zero / zero;
#pragma scop
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            c[i * 8 + j] = (x[i] < x[j]) | (x[i] <= x[j]) << 1 | (x[i] == x[j]) << 2 | (x[i] != x[j]) << 3 |
                (!(x[i] >= x[j])) << 4 | (x[i] ? 1 : 0) << 5;
    for (int i = 0; i < 8; i++) least[i] = x[i] < x[(i + 1) % 8] ? x[i] : x[(i + 1) % 8];
#pragma endscop
    show_ints("compared", c, 64);
    for (int i = 0; i < 8; i++) printf("%d ", least[i] != least[i] ? 9
                                       : (int)copysign(least[i] > 1 || least[i] < -1 ? 2 : 1, least[i]));
    printf("\n");
}
static void shadow(int n) { // names that mean something on devices, names used twice
    static int kernel[N], global[N], threadIdx[N];
    int local = 3, i = 5;
#pragma scop
    for (int i = 0; i < n; i++) {
        int local = i * 2, get_global_id = 1;
        kernel[i] = local + get_global_id;
        {
            int local = 4;
            global[i] = local;
        }
        threadIdx[i] = local + kernel[i];
    }
#pragma endscop
    show_ints("kernel", kernel, N), show_ints("threadIdx", threadIdx, N), show_ints("global", global, N);
    printf("%d %d\n", local, i);
}

// ---- the host in between --------------------------------------------------------------------------------
static double table[N], *view = table + 10;
static double peek(int i) { return view[i]; }
static void between(int n) {
    for (int t = 0; t < 5; t++) {
#pragma scop
        for (int i = 0; i < n; i++) table[i] = table[i] * 0.5 + i;
#pragma endscop
        if (peek(t) > 1.0) view[t + 1] = t;
#pragma scop
        for (int i = 1; i < n; i++) table[i - 1] += table[n - 1];
#pragma endscop
        printf("%.5e ", peek(3));
    }
    show_doubles("table", table, N);
}
static void swapped(int n, int rounds) {
    double *a = malloc(sizeof(double) * (size_t)n), *b = malloc(sizeof(double) * (size_t)n), *keep = a;
    for (int i = 0; i < n; i++) a[i] = i % 17, b[i] = 0;
    for (int t = 0; t < rounds; t++) {
#pragma scop
        for (int i = 1; i < n - 1; i++) b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
#pragma endscop
        double *s = a;
        a = b, b = s;
        if (t == 3) a[5] = 100;
    }
    show_doubles("swapped", a, n), show_doubles("kept", keep, n);
    free(a), free(b);
}
static int early(int n) { // leaves in the middle of the function
    static int a[N];
#pragma scop
    for (int i = 0; i < n; i++) a[i] += i;
#pragma endscop
    if (a[n - 1] > 50) return a[3];
#pragma scop
    for (int i = 0; i < n; i++) a[i] *= 2;
#pragma endscop
    return a[2];
}
int main(void) {
    overlap();
    printf("%.6e %.6e %.6e\n", work(100, 1), work(100, 2), work(1000, 3));
    printf("%.6e\n", on_stack(5));
    grows(), moved();
    survivors(100), survivors(0), survivors(2), survivors(3), gaps(N), gaps(1), gaps(0);
    wrapping(N, 0), wrapping(N, 7), wrapping(0, 9), back_from(100, 200), back_from(100, 50), back_from(0, 0),
        small_counters(), divisions(), extremes(), special();
    shadow(N), between(N), swapped(200, 7);
    printf("%d\n", early(20));
    printf("%d\n", early(30));
    printf("%d\n", early(90));
    suite_use();
    return 0;
}
