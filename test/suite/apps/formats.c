// device 12
// formats.c -- programs written in older and odder manners: K and R temporaries, globals in headers
// of loops, macros for loops, marks on blocks, functions called many times, regions inside host loops.
#include "../suite.h"
#define FOR(i, n) for (int i = 0; i < (n); i++)
#define AT(a, i, j) ((a)[(i) * stride + (j)])
enum { ROWS = 21, COLS = 34 };
int rows = ROWS, cols = COLS;
static double grid[ROWS][COLS], next[ROWS][COLS], work[ROWS * COLS];
static double *current;
typedef double real;

static void global_bounds(void) { // parallel: bounds are globals
    int i, j;
#pragma scop
    for (i = 1; i < rows - 1; i++)
        for (j = 1; j < cols - 1; j++)
            next[i][j] = 0.25 * (grid[i - 1][j] + grid[i + 1][j] + grid[i][j - 1] + grid[i][j + 1]);
#pragma endscop
}
static void global_pointer(void) { // parallel
#pragma omp parallel for
    for (int i = 0; i < rows * cols; i++) current[i] = current[i] * 0.5 + 1.0;
}
static void macros(real *a, const real *b, int n, int stride) { // parallel
#pragma scop
    FOR(i, n)
    FOR(j, n) AT(a, i, j) += 2 * AT(b, j, i);
#pragma endscop
}
static void rows_of_pointers(real **a, real **b, int n, int m) { // parallel
    int i, j;
#pragma omp parallel for private(j)
    for (i = 0; i < n; i++)
        for (j = 0; j < m; j++)
            a[i][j] = b[i][j] * 3 - a[i][j];
}
static int inside_io(int n) { // parallel inside a loop that prints
    int k, i, sum = 0;
    static int v[64];
    for (k = 0; k < 4; k++) {
#pragma omp parallel for
        for (i = 0; i < n; i++) v[i] += i * k;
        printf("k %d v %d\n", k, v[n - 1]);
        sum += v[n / 2];
    }
    return sum;
}
static double recursive(int depth) { // a region in a function that calls itself
    double v[8];
    FOR(i, 8) v[i] = depth + i;
#pragma scop
    for (int i = 0; i < 8; i++) v[i] = v[i] * 2;
#pragma endscop
    return depth > 0 ? v[3] + recursive(depth - 1) : v[0];
}
static void two_regions(int n, real *a, real *b, real *c) { // parallel, twice
#pragma scop
    for (int i = 0; i < n; i++) b[i] = a[i] * a[i];
#pragma endscop
#pragma scop
    for (int i = 0; i < n; i++) c[i] = b[n - 1 - i] + a[i];
#pragma endscop
}
static void host_between(int n, real *a, real *b) { // the host changes what the device has
#pragma scop
    for (int i = 0; i < n; i++) b[i] = a[i] + 1;
#pragma endscop
    b[n / 2] = 100;
    a[0] = -5;
#pragma scop
    for (int i = 0; i < n; i++) a[i] = b[i] * 2 + a[i];
#pragma endscop
}
static void nothing_to_do(int n, real *a) { // never entered
#pragma scop
    for (int i = 5; i < n; i++) a[i] = 0;
#pragma endscop
}
static void partial_write(int n, real *a, const int *flag) { // gaps keep what the host has
#pragma scop
    for (int i = 0; i < n; i += 2)
        if (flag[i]) a[i] = 7;
#pragma endscop
}

int main(void) {
    static real a[40 * 40], b[40 * 40], c[40 * 40];
    static int flag[100];
    real *ra[10], *rb[10];
    fill_doubles(&grid[0][0], ROWS * COLS), fill_doubles(a, 1600), fill_doubles(b, 1600),
        fill_ints(flag, 100, 2), fill_doubles(work, ROWS * COLS);
    for (int t = 0; t < 5; t++) {
        global_bounds();
        memcpy(grid, next, sizeof grid);
        rows = ROWS - t;
    }
    show_doubles("grid", &grid[0][0], ROWS * COLS);
    current = work;
    for (int t = 0; t < 3; t++) global_pointer();
    show_doubles("work", work, ROWS * COLS);
    macros(a, b, 30, 40), macros(a, b, 40, 40), macros(a, a, 10, 40);
    show_doubles("macros", a, 1600);
    FOR(i, 10) ra[i] = a + 37 * (9 - i), rb[i] = b + 40 * i;
    rows_of_pointers(ra, rb, 10, 30);
    show_doubles("rows", a, 1600);
    printf("%d\n", inside_io(50));
    printf("%.5e\n", recursive(6));
    two_regions(900, a, b, c), host_between(900, b, c), nothing_to_do(3, a), partial_write(100, a, flag);
    show_doubles("a", a, 1600), show_doubles("b", b, 1600), show_doubles("c", c, 1600);
    suite_use();
    return 0;
}
