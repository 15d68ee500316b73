// device 20
// tiles.c -- loops that their author blocked for a cache, in many spellings, and some whose tiles keep an
// order that counts. Data are small integers where sums come in another order.
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { B = 8, MOST = 150 };
#define LESS(x, y) ((x) < (y) ? (x) : (y))
#define OWN __attribute__((noinline)) static

OWN void product(int n, float *restrict a, const float *restrict b, const float *restrict c) {
#pragma sculpt
    for (int ii = 0; ii < n; ii += B)
        for (int jj = 0; jj < n; jj += B)
            for (int kk = 0; kk < n; kk += B)
                for (int i = ii; i < LESS(ii + B, n); i++)
                    for (int j = jj; j < LESS(jj + B, n); j++)
                        for (int k = kk; k < LESS(kk + B, n); k++)
                            a[i * n + j] += b[i * n + k] * c[k * n + j];
}

// A step that the caller chooses, ends that ifs set, a sum in a scalar.
OWN void by_steps(int n, int step, float *restrict a, const float *restrict b, const float *restrict c) {
#pragma sculpt
    for (int ii = 0; ii < n; ii += step)
        for (int jj = 0; jj < n; jj += step)
            for (int kk = 0; kk < n; kk += step) {
                int ie = ii + step, je = jj + step, ke = kk + step;
                if (ie > n) ie = n;
                if (je > n) je = n;
                if (ke > n) ke = n;
                for (int i = ii; i < ie; i++)
                    for (int j = jj; j < je; j++) {
                        float s = a[i * n + j];
                        for (int k = kk; k < ke; k++) s += b[i * n + k] * c[k * n + j];
                        a[i * n + j] = s;
                    }
            }
}

// Two loops are tiled; parts of sums are added.
OWN void in_parts(size_t n, float *restrict a, const float *restrict b, const float *restrict c) {
#pragma sculpt reassociate
    for (size_t kk = 0; kk < n; kk += B)
        for (size_t jj = 0; jj < n; jj += B)
            for (size_t i = 0; i < n; i++)
                for (size_t j = jj; j < jj + B && j < n; j++) {
                    float s = 0;
                    for (size_t k = kk; k < kk + B && k < n; k++) s += b[i * n + k] * c[k * n + j];
                    a[i * n + j] += s;
                }
}

// Counters that begin at 0 in each tile, also where whole tiles alone are there.
OWN void from_zero(int n, float *restrict a, const float *restrict b, const float *restrict c) {
#pragma sculpt
    for (int p = 0; p < n / B; p++)
        for (int q = 0; q < n / B; q++)
            for (int r = 0; r < n / B; r++)
                for (int i = 0; i < B; i++)
                    for (int j = 0; j < B; j++)
                        for (int k = 0; k < B; k++)
                            a[(p * B + i) * n + q * B + j] +=
                                b[(p * B + i) * n + r * B + k] * c[(r * B + k) * n + q * B + j];
#pragma sculpt
    for (int ii = 0; ii < n; ii += B)
        for (int jj = 0; jj < n; jj += B)
            for (int i = 0; i < B && ii + i < n; i++)
                for (int j = 0; j < B && jj + j < n; j++) a[(ii + i) * n + jj + j] += 2;
}

// Cleared in each tile, of which there are two sizes; tiles of a triangle.
OWN void levels(unsigned n, float *restrict a, const float *restrict b, const float *restrict c) {
#pragma sculpt
    for (unsigned i2 = 0; i2 < n; i2 += 4 * B)
        for (unsigned j2 = 0; j2 < n; j2 += 4 * B) {
            for (unsigned i = i2; i < LESS(i2 + 4 * B, n); i++)
                for (unsigned j = j2; j < LESS(j2 + 4 * B, n); j++) a[i * n + j] = 1;
            for (unsigned kk = 0; kk < n; kk += B)
                for (unsigned i = i2; i < LESS(i2 + 4 * B, n); i++)
                    for (unsigned j = j2; j < LESS(j2 + 4 * B, n); j++)
                        for (unsigned k = kk; k < LESS(kk + B, n); k++)
                            a[i * n + j] += b[i * n + k] * c[k * n + j];
        }
}
OWN void triangle(int n, float *restrict a, const float *restrict b) {
#pragma sculpt
    for (int ii = 0; ii < n; ii += B)
        for (int jj = 0; jj <= ii; jj += B)
            for (int kk = 0; kk < n; kk += B)
                for (int i = ii; i < LESS(ii + B, n); i++)
                    for (int j = jj; j < LESS(jj + B, i + 1); j++)
                        for (int k = kk; k < LESS(kk + B, n); k++)
                            a[i * n + j] += b[i * n + k] * b[j * n + k];
#pragma sculpt
    for (int ii = 0; ii < n; ii += B)
        for (int jj = ii; jj < n; jj += B)
            for (int i = ii; i < LESS(ii + B, n); i++)
                for (int j = jj > i ? jj : i + 1; j < LESS(jj + B, n); j++)
                    a[i * n + j] = a[i * n + j] + b[j * n + i];
}

// What the first tile begins with.
OWN void cleared(int n, int m, float *restrict a, const float *restrict b, const float *restrict c) {
#pragma sculpt
    for (int ii = 0; ii < n; ii += B)
        for (int kk = 0; kk < m; kk += B)
            for (int i = ii; i < LESS(ii + B, n); i++)
                for (int j = 0; j < n; j++) {
                    if (kk == 0) a[i * n + j] = j;
                    for (int k = kk; k < LESS(kk + B, m); k++) a[i * n + j] += b[i * m + k] * c[k * n + j];
                }
}
OWN void chosen(int n, float *restrict a, const float *restrict b, const float *restrict c) {
#pragma omp parallel for
    for (int ii = 0; ii < n; ii += B)
        for (int jj = 0; jj < n; jj += B)
            for (int kk = 0; kk < n; kk += B)
                for (int i = ii; i < LESS(ii + B, n); i++)
                    for (int j = jj; j < LESS(jj + B, n); j++) {
                        float s = kk > 0 ? a[i * n + j] : 0;
                        for (int k = kk; k < LESS(kk + B, n); k++) s += b[i * n + k] * c[k * n + j];
                        a[i * n + j] = s;
                    }
}

OWN void transpose(int n, float *restrict a, const float *restrict b) {
#pragma omp parallel for collapse(2)
    for (int ii = 0; ii < n; ii += B)
        for (int jj = 0; jj < n; jj += B)
            for (int i = ii; i < ii + B; i++)
                for (int j = jj; j < jj + B; j++)
                    if (i < n && j < n) a[j * n + i] = b[i * n + j];
}
OWN void stencil(int n, float *restrict a, const float *restrict b) {
    int tiles = (n - 2 + B - 1) / B;
#pragma sculpt
    for (int p = 0; p < (n - 2 + B - 1) / B; p++)
        for (int q = 0; q < tiles; q++)
            for (int i = 1 + p * B; i < LESS(1 + p * B + B, n - 1); i++)
                for (int j = 1 + q * B; j < LESS(1 + (q + 1) * B, n - 1); j++)
                    a[i * n + j] =
                        b[(i - 1) * n + j] + b[(i + 1) * n + j] + b[i * n + j - 1] - b[i * n + j + 1];
}

// Whole tiles, past n where that is no whole number of them.
OWN void beyond(int n, int pitch, float *restrict a, const float *restrict b) {
#pragma sculpt
    for (int ii = 0; ii < n; ii += B)
        for (int jj = 0; jj < n; jj += B)
            for (int i = ii; i < ii + B; i++)
                for (int j = jj; j < jj + B; j++) a[i * pitch + j] += b[j * pitch + i];
}

// ---- where the tiles' order counts ---------------------------------------------------------------------
OWN float all(int n, const float *a) {
    float s = 0;
#pragma scop
    for (int ii = 0; ii < n; ii += B)
        for (int jj = 0; jj < n; jj += B)
            for (int i = ii; i < LESS(ii + B, n); i++)
                for (int j = jj; j < LESS(jj + B, n); j++) s += a[i * n + j];
#pragma endscop
    return s;
}
OWN void sums_of_two(int n, float *restrict y, const float *restrict a) { // over k and l
#pragma sculpt
    for (int i = 0; i < n; i++)
        for (int kk = 0; kk < n; kk += B)
            for (int ll = 0; ll < n; ll += B)
                for (int k = kk; k < LESS(kk + B, n); k++)
                    for (int l = ll; l < LESS(ll + B, n); l++) y[i] += a[i * n + k] * a[l * n + k];
}
OWN void relaxed(int n, float *a) { // reads what other tiles have written
#pragma scop
    for (int ii = 1; ii < n - 1; ii += B)
        for (int jj = 1; jj < n - 1; jj += B)
            for (int i = ii; i < LESS(ii + B, n - 1); i++)
                for (int j = jj; j < LESS(jj + B, n - 1); j++)
                    a[i * n + j] = 0.5f * (a[(i - 1) * n + j + 1] + a[(i + 1) * n + j - 1]);
#pragma endscop
}
OWN void last(int n, float *restrict y, const float *restrict a) { // the last one stays
#pragma sculpt
    for (int ii = 0; ii < n; ii += B)
        for (int jj = 0; jj < n; jj += B)
            for (int i = ii; i < LESS(ii + B, n); i++)
                for (int j = jj; j < LESS(jj + B, n); j++) y[(i + j) % n] = a[i * n + j];
}
OWN void begun_again(int n, float *restrict y, const float *restrict a) { // by each i
#pragma scop
    for (int kk = 0; kk < n; kk += B)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                if (kk == 0) y[j] = 0.5f;
                for (int k = kk; k < LESS(kk + B, n); k++) y[j] += a[i * n + k] * a[k * n + j];
            }
#pragma endscop
}
OWN void overlapping(int n, float *restrict y, const float *restrict a) { // tiles are longer than the steps
#pragma sculpt
    for (int ii = 0; ii < n; ii += B)
        for (int i = ii; i < LESS(ii + B + 2, n); i++) y[i] += a[i];
}
OWN void gaps(int n, float *restrict y, const float *restrict a) { // or shorter
#pragma sculpt
    for (int ii = 0; ii < n; ii += B)
        for (int i = ii; i < LESS(ii + B - 2, n); i++) y[i] += a[i];
}
OWN void behind(int n, float *restrict a, float *restrict b) { // a tile reads what one behind it writes
#pragma sculpt
    for (int ii = 0; ii < n; ii += B) {
        for (int i = ii; i < LESS(ii + B, n); i++) b[i] = a[i < n - B ? i + B : i];
        for (int i = ii; i < LESS(ii + B, n); i++) a[i] = b[i] + 1;
    }
}

static int state;
static int next(void) { return (state = (state * 1103 + 12345) & 0xffff) % 7 - 3; }
static void show(const char *name, int n, const float *a) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += (i % 31 + 1) * (double)a[i];
    printf(" %s %.9g", name, sum);
}

int main(void) {
    static float a[MOST * MOST + 2 * B * MOST], b[MOST * MOST + 2 * B * MOST], c[MOST * MOST], d[MOST * MOST];
    static const int sizes[] = {0, 1, 8, 33, 100};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        int n = sizes[k], all_of = n * n;
        for (int i = 0; i < MOST * MOST; i++) a[i] = next(), b[i] = next(), c[i] = next();
        for (int i = 0; i < MOST * MOST; i++) d[i] = 1 / (7.0f + next());
        printf("%d:", n);
        product(n, a, b, c), show("product", all_of, a);
        for (int step = 1; step < 40; step += 19) by_steps(n, step, a, b, c), show("steps", all_of, a);
        in_parts((size_t)n, a, b, c), show("parts", all_of, a);
        from_zero(n, a, b, c), show("zero", all_of, a);
        levels((unsigned)n, a, b, c), show("levels", all_of, a);
        triangle(n, a, b), show("triangle", all_of, a);
        cleared(n, n / 2, a, b, c), show("cleared", all_of, a);
        chosen(n, a, b, c), show("chosen", all_of, a);
        transpose(n, a, b), show("transpose", all_of, a);
        stencil(n, a, c), show("stencil", all_of, a);
        beyond(n, MOST, a, c), show("beyond", MOST * MOST, a);
        printf(" all %.9g", all(n, d));
        memset(a, 0, sizeof a);
        sums_of_two(n, a, d), show("two", n, a);
        product(n, b, d, d), show("in order", all_of, b);
        relaxed(n, d), show("relaxed", all_of, d);
        last(n, b, d), show("last", n, b);
        begun_again(n, b, d), show("again", n, b);
        overlapping(n, b, c), show("overlapping", n, b);
        gaps(n, b, c), show("gaps", n, b);
        behind(n, c, b), show("behind", n, c);
        printf("\n");
    }
    return 0;
}
