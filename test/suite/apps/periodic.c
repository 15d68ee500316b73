// device 8
// periodic.c -- rows and grids that close upon themselves, in linear subscripts.
#include "../suite.h"

static void ring(int nx, int ny, double *o, const double *a) {
#pragma scop
    for (int y = 0; y < ny; y++)
        for (int x = 0; x < nx; x++) {
            int c = y * nx + x;
            int w = x == 0 ? c + nx - 1 : c - 1;
            int e = x == nx - 1 ? c - nx + 1 : c + 1;
            int n = y == 0 ? c + nx * (ny - 1) : c - nx;
            int s = y == ny - 1 ? c - nx * (ny - 1) : c + nx;
            o[c] = a[w] + 2 * a[e] + 3 * a[n] + 5 * a[s];
        }
#pragma endscop
}
static void walls(int nx, int ny, double *o, const double *a) {
#pragma scop
    for (int y = 0; y < ny; y++)
        for (int x = 0; x < nx; x++) {
            int c = y * nx + x;
            int w = x == 0 ? c : c - 1, e = x == nx - 1 ? c : c + 1;
            int n = y == 0 ? c : c - nx, s = y == ny - 1 ? c : c + nx;
            o[c] = a[w] + 2 * a[e] + 3 * a[n] + 5 * a[s];
        }
#pragma endscop
}
static void scatter(int nx, int ny, double *o, const double *a) {
#pragma scop
    for (int y = 0; y < ny; y++)
        for (int x = 0; x < nx; x++) {
            int c = y * nx + x;
            o[x == 0 ? c + nx - 1 : c - 1] = a[c];
        }
#pragma endscop
}
static void rotate(int nx, int ny, double *a) { // in place: the order within a row matters
#pragma scop
    for (int y = 0; y < ny; y++)
        for (int x = 0; x < nx; x++) {
            int c = y * nx + x;
            a[c] = 0.5 * a[c] + a[x == nx - 1 ? c - nx + 1 : c + 1];
        }
#pragma endscop
}
static void spill(int nx, int ny, double *a) { // the last of a row reads the first of the next
#pragma scop
    for (int y = 0; y < ny; y++)
        for (int x = 0; x < nx; x++) {
            int c = y * nx + x;
            a[c] = a[c] * 0.5 + a[x == nx - 1 ? c + 1 : c];
        }
#pragma endscop
}
static void chain(int nx, int ny, double *a) { // the first of a row reads the last of the one before
#pragma scop
    for (int y = 0; y < ny; y++)
        for (int x = 0; x < nx; x++) {
            int c = y * nx + x;
            a[c] = a[c] * 0.5 + (x == 0 && y > 0 ? a[c - 1] : 1);
        }
#pragma endscop
}
static void modulo(int nx, int ny, double *o, const double *a) {
#pragma scop
    for (int y = 0; y < ny; y++)
        for (int x = 0; x < nx; x++)
            o[y * nx + x] = a[y * nx + (x + 1) % nx] - a[((y + 1) % ny) * nx + x];
#pragma endscop
}
static void torus(int n, double *o, const double *a) { // three dimensions, six neighbours
#pragma scop
    for (int z = 0; z < n; z++)
        for (int y = 0; y < n; y++)
            for (int x = 0; x < n; x++) {
                int c = (z * n + y) * n + x;
                double v = a[x == 0 ? c + n - 1 : c - 1] - a[x == n - 1 ? c + 1 - n : c + 1];
                v += 2 * a[y == 0 ? c + n * n - n : c - n] - a[y == n - 1 ? c + n - n * n : c + n];
                o[c] = v + 3 * a[z != 0 ? c - n * n : c + n * n * n - n * n];
            }
#pragma endscop
}

int main(void) {
    static const int sizes[][2] = {{5, 7}, {1, 4}, {4, 1}, {2, 2}, {33, 9}, {1, 1}, {64, 40}};
    for (int k = 0; k < 7; k++) {
        int nx = sizes[k][0], ny = sizes[k][1], n = nx * ny;
        double *a = malloc((n + 2) * sizeof *a), *o = calloc(n + 2, sizeof *o);
        fill_doubles(a, n + 2);
        ring(nx, ny, o, a);
        show_doubles("ring", o, n);
        walls(nx, ny, o, a);
        show_doubles("walls", o, n);
        scatter(nx, ny, o, a);
        show_doubles("scatter", o, n);
        modulo(nx, ny, o, a);
        show_doubles("modulo", o, n);
        rotate(nx, ny, a);
        show_doubles("rotate", a, n);
        spill(nx, ny, a);
        show_doubles("spill", a, n);
        chain(nx, ny, a);
        show_doubles("chain", a, n);
        free(a), free(o);
    }
    for (int n = 1; n < 10; n += 4) {
        double *a = malloc(sizeof *a * n * n * n), *o = malloc(sizeof *o * n * n * n);
        fill_doubles(a, n * n * n);
        torus(n, o, a);
        show_doubles("torus", o, n * n * n);
        free(a), free(o);
    }
    return 0;
}
