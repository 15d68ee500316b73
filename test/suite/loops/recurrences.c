// device 23
// recurrences.c -- loops that find what they go on with in the element before: up and down, in place, of
// several types, several in one loop, along rows and columns, and OpenMP's own scans.
#include "../suite.h"
#define N 100003
#define SIDE 61
static int ix[N], iy[N], iz[N];
static unsigned char cx[N], cy[N], cz[N];
static long lx[N], ly[N], lz[N];
static float fx[N], fy[N], fz[N];
static double dx[N], dy[N], dz[N];
static int offsets[N + 1], image[SIDE][SIDE], sums[SIDE][SIDE], whole[N];
static double wide[N];

static void i_up(int n) {
#pragma sculpt
    for (int i = 1; i < n; i++) iy[i] = iy[i - 1] + ix[i];
}
static void i_down(int n) {
#pragma sculpt
    for (int i = n - 2; i >= 0; i--) iy[i] = ix[i] - 1 + iy[i + 1];
}
static void i_in_place(int n) {
#pragma sculpt
    for (int i = 1; i < n; i++) iz[i] += iz[i - 1];
}
static void i_greatest(int n) {
#pragma sculpt
    for (int i = 1; i < n; i++) iy[i] = ix[i] > iy[i - 1] ? ix[i] : iy[i - 1];
}
static void i_both(int n) {
#pragma sculpt
    for (int i = 1; i < n; i++) {
        iy[i] = iy[i - 1] + ix[i];
        iz[i] = iy[i] + iz[i - 1];
    }
}
static void i_was(int n) {
#pragma sculpt
    for (int i = 1; i < n; i++) {
        iy[i] = iy[i - 1] + ix[i];
        iz[i] = iy[i - 1] - 2 * iy[i];
    }
}
static void c_up(int n) {
#pragma sculpt
    for (int i = 1; i < n; i++) cy[i] = cy[i - 1] + cx[i];
}
static void c_products(int n) {
#pragma sculpt
    for (int i = 3; i < n; i += 2) cz[i] = cz[i - 2] * cx[i];
}
static void l_down(int n) {
#pragma sculpt
    for (int i = n - 2; i >= 0; i--) ly[i] = lx[i] - 1 + ly[i + 1];
}
static void l_in_place(int n) {
#pragma sculpt
    for (int i = 1; i < n; i++) lz[i] += lz[i - 1];
}
static void l_both(int n) {
#pragma sculpt
    for (int i = 1; i < n; i++) {
        ly[i] = ly[i - 1] + lx[i];
        lz[i] = ly[i] + lz[i - 1];
    }
}
static void f_up(int n) {
#pragma sculpt reassociate
    for (int i = 1; i < n; i++) fy[i] = fy[i - 1] + fx[i];
}
static void f_greatest(int n) {
#pragma sculpt reassociate
    for (int i = 1; i < n; i++) fy[i] = fx[i] > fy[i - 1] ? fx[i] : fy[i - 1];
}
static void f_least(int n) {
#pragma sculpt reassociate
    for (int i = 1; i < n; i++) fz[i] = fminf(fz[i - 1], fx[i]);
}
static void f_was(int n) {
#pragma sculpt reassociate
    for (int i = 1; i < n; i++) {
        fy[i] = fy[i - 1] + fx[i];
        fz[i] = fy[i - 1] - 2 * fy[i];
    }
}
static void d_down(int n) {
#pragma sculpt reassociate
    for (int i = n - 2; i >= 0; i--) dy[i] = dx[i] - 1 + dy[i + 1];
}
static void d_products(int n) {
#pragma sculpt reassociate
    for (int i = 3; i < n; i += 2) dz[i] = dz[i - 2] * dx[i];
}
static void d_in_place(int n) {
#pragma sculpt reassociate
    for (int i = 1; i < n; i++) dz[i] += dz[i - 1];
}
static void lengths(int n) {
    offsets[0] = 0;
#pragma sculpt
    for (int i = 0; i < n; i++) offsets[i + 1] = offsets[i] + ix[i];
}
static void strict(int n) { // in their order, on the host
    for (int i = 1; i < n; i++) fz[i] = fz[i - 1] + fx[i];
}
static int inclusive(int n) {
    int s = 3;
#pragma omp parallel for simd reduction(inscan, + : s)
    for (int i = 0; i < n; i++) {
        s += ix[i];
#pragma omp scan inclusive(s)
        iy[i] = s;
    }
    return s;
}
static void exclusive(int n) {
    long s = -3;
#pragma omp simd reduction(inscan, + : s)
    for (int i = 0; i < n; i++) {
        lz[i] = s;
#pragma omp scan exclusive(s)
        s += lx[i];
    }
}
static void table(int n) {
#pragma sculpt
    for (int r = 0; r < n; r++)
        for (int k = 1; k < n; k++) sums[r][k] = sums[r][k - 1] + image[r][k];
#pragma sculpt
    for (int r = 1; r < n; r++)
        for (int k = 0; k < n; k++) sums[r][k] = sums[r][k] + sums[r - 1][k];
}

static int number(int k) { return (k * 37 + k / 91) % 11 - 4; }
static double near_one(int k) { return 1 + number(k) * 1e-5; }
static void fill(void) {
    for (int k = 0; k < N; k++) {
        ix[k] = cx[k] = lx[k] = number(k), fx[k] = dx[k] = near_one(k);
        iy[k] = cy[k] = ly[k] = number(k + 5), fy[k] = dy[k] = near_one(k + 5);
        iz[k] = cz[k] = lz[k] = number(k + 9), fz[k] = dz[k] = near_one(k + 9);
    }
}
#define RUN(show, all, word, y)                                                                   \
    do {                                                                                          \
        fill();                                                                                   \
        word(n);                                                                                  \
        for (int k = 0; k < n; k++) all[k] = y[k];                                                \
        show(#word " " #y, all, n);                                                               \
    } while (0)
#define INTS(word, y) RUN(show_ints, whole, word, y)
#define REALS(word, y) RUN(show_doubles, wide, word, y)
static void all(int n) {
    INTS(i_up, iy);
    INTS(i_down, iy);
    INTS(i_in_place, iz);
    INTS(i_greatest, iy);
    INTS(i_both, iy);
    INTS(i_both, iz);
    INTS(i_was, iy);
    INTS(i_was, iz);
    INTS(c_up, cy);
    INTS(c_products, cz);
    INTS(l_down, ly);
    INTS(l_in_place, lz);
    INTS(l_both, ly);
    INTS(l_both, lz);
    REALS(f_up, fy);
    REALS(f_greatest, fy);
    REALS(f_least, fz);
    REALS(f_was, fy);
    REALS(f_was, fz);
    REALS(d_down, dy);
    REALS(d_products, dz);
    REALS(d_in_place, dz);
    INTS(lengths, offsets);
    INTS(inclusive, iy);
    INTS(exclusive, lz);
    REALS(strict, fz);
    printf("%d\n", inclusive(n));
}

int main(void) {
    static const int sizes[] = {0, 1, 2, 31, 1000, N};
    for (int k = 0; k < 6; k++) all(sizes[k]);
    for (int n = 0; n <= SIDE; n += SIDE / 2) {
        fill_ints(image[0], SIDE * SIDE, 9);
        table(n), show_ints("table", sums[0], SIDE * SIDE);
    }
    suite_use();
}
