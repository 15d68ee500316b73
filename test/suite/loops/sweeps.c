// device 12
// sweeps.c -- sums over all rows and columns so far (integral images), in many spellings, and sweeps that are
// none. Values are small integers, so that sums are exact in any order.
#include <stdio.h>
#include <string.h>

enum { ROWS = 90, COLUMNS = 140 };
#define OWN __attribute__((noinline)) static

OWN void image(int n, int m, float *restrict s, const float *restrict a) {
#pragma sculpt
    for (int i = 0; i < n; i++) {
        float row = 0;
        for (int j = 0; j < m; j++) {
            row += a[i * m + j];
            s[i * m + j] = i > 0 ? s[(i - 1) * m + j] + row : row;
        }
    }
}
OWN void below(int n, int m, float *restrict s, float *restrict q, const float *restrict a) {
#pragma sculpt
    for (int i = 1; i < n; i++) {
        float sum = 0, square = 0;
        for (int j = 0; j < m; j++) {
            float v = a[i * m + j];
            sum += v;
            square += v * v;
            s[i * m + j] = s[(i - 1) * m + j] + sum;
            q[i * m + j] = q[(i - 1) * m + j] + square;
        }
    }
}
OWN void framed(int n, int m, float (*restrict s)[m + 1], const float (*restrict a)[m]) {
#pragma sculpt reassociate
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++)
            s[i][j] = a[i - 1][j - 1] + s[i - 1][j] + s[i][j - 1] - s[i - 1][j - 1];
}
OWN void in_place(int n, int m, int (*s)[m]) {
#pragma sculpt
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) s[i][j] += s[i - 1][j] + s[i][j - 1] - s[i - 1][j - 1];
}
OWN void by_conditions(int n, int m, int *restrict s, const unsigned char *restrict a) {
#pragma sculpt
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int v = a[i * m + j];
            if (i > 0) v += s[(i - 1) * m + j];
            if (j > 0) v += s[i * m + j - 1];
            if (i > 0 && j > 0) v -= s[(i - 1) * m + j - 1];
            s[i * m + j] = v;
        }
}
OWN void by_choices(int n, int m, int *restrict s, const int *restrict a) {
#pragma sculpt
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m; j++)
            s[i * m + j] = (i >= 1 ? s[(i - 1) * m + j] : 0) + s[i * m + j - 1] -
                           (0 < i ? s[(i - 1) * m + j - 1] : 0) + 2 * a[i * m + j];
}
#define AT(i, j) s[(b * n + (i)) * m + (j)]
OWN void batch(int images, int n, int m, float *restrict s, const float *restrict a) { // the greatest so far
#pragma sculpt
    for (int b = 0; b < images; b++)
        for (int i = 2; i < n; i++) {
            float row = a[(b * n + i) * m];
            for (int j = 1; j < m; j++) {
                row = a[(b * n + i) * m + j] > row ? a[(b * n + i) * m + j] : row;
                AT(i, j) = AT(i - 2, j - 1) > row ? AT(i - 2, j - 1) : row;
            }
        }
}

// ---- what is none ---------------------------------------------------------------------------------------
OWN void from_below(int n, int m, float *restrict s, const float *restrict a) { // of what is not yet set
#pragma scop
    for (int i = 0; i < n - 1; i++) {
        float row = 0;
        for (int j = 0; j < m; j++) {
            row += a[i * m + j];
            s[i * m + j] = s[(i + 1) * m + j] + row;
        }
    }
#pragma endscop
}
OWN void fed_back(int n, int m, float *restrict s, const float *restrict a) { // the sum sees the row above
#pragma scop
    for (int i = 1; i < n; i++) {
        float row = 0;
        for (int j = 0; j < m; j++) {
            row += a[i * m + j] + 2 * (s[(i - 1) * m + j] > 40);
            s[i * m + j] = 0.5f * s[(i - 1) * m + j] + row;
        }
    }
#pragma endscop
}
OWN void kept_too(int n, int m, float *restrict s, float *restrict t, const float *restrict a) {
#pragma scop
    for (int i = 1; i < n; i++) {
        float row = 0;
        for (int j = 0; j < m; j++) {
            row += a[i * m + j];
            s[i * m + j] = s[(i - 1) * m + j] + row;
            t[i * m + j] = s[i * m + j] * 2;
        }
    }
#pragma endscop
}
OWN void wider(int n, int m, float *restrict s, const float *restrict a) { // the sum has more digits
#pragma scop
    for (int i = 1; i < n; i++) {
        double row = 1e-9;
        for (int j = 0; j < m; j++) {
            row += a[i * m + j] * 1e-9;
            s[i * m + j] = s[(i - 1) * m + j] + row * 1e9;
        }
    }
#pragma endscop
}
OWN void corner(int n, int m, int (*s)[m]) { // the signs are others
#pragma scop
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            s[i][j] = (s[i][j] + s[i - 1][j] - s[i][j - 1] + (s[i - 1][j - 1] & 3)) & 1023;
#pragma endscop
}

static int state = 1;
static int next(void) { return (state = (state * 1103 + 12345) & 0xffff) % 5 - 1; }
static void show(const char *name, int n, const float *a) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += (i % 31 + 1) * (double)a[i];
    printf(" %s %.9g", name, sum);
}
static void show_ints(const char *name, int n, const int *a) {
    unsigned sum = 0;
    for (int i = 0; i < n; i++) sum += (i % 31 + 1u) * (unsigned)a[i];
    printf(" %s %u", name, sum);
}

int main(void) {
    enum { ALL = (ROWS + 1) * (COLUMNS + 1) };
    static float a[ALL], s[ALL], q[ALL];
    static int x[ALL], y[ALL];
    static unsigned char b[ALL];
    static const int sizes[][2] = {{0, 0}, {1, 5}, {3, 0}, {7, 1}, {33, 70}, {ROWS, COLUMNS}};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        int n = sizes[k][0], m = sizes[k][1], all = n * m;
        for (int i = 0; i < ALL; i++) a[i] = next(), s[i] = next(), q[i] = next();
        for (int i = 0; i < ALL; i++) x[i] = next(), y[i] = next(), b[i] = next() & 7;
        printf("%d %d:", n, m);
        image(n, m, s, a), show("image", all, s);
        below(n, m, s, q, a), show("below", all, s), show("squares", all, q);
        framed(n, m, (void *)s, (void *)a), show("framed", ALL, s);
        in_place(n, m, (void *)x), show_ints("in place", all, x);
        by_conditions(n, m, y, b), show_ints("conditions", all, y);
        by_choices(n, m, y, x), show_ints("choices", all, y);
        batch(3, n / 3, m, s, a), show("batch", all, s);
        for (int i = 0; i < ALL; i++) s[i] = next(), x[i] = next();
        from_below(n, m, s, a), show("from below", all, s);
        fed_back(n, m, s, a), show("fed back", all, s);
        kept_too(n, m, s, q, a), show("kept", all, s), show("too", all, q);
        wider(n, m, s, a), show("wider", all, s);
        corner(n, m, (void *)x), show_ints("corner", all, x);
        printf("\n");
    }
    return 0;
}
