// device 4
// triangles.c -- tables of rows of which loops use a part that other loops tell.
#include "../suite.h"
static void diag(int n, double **a, double *o) { /* rows i - j: both ends can't be had at once */
#pragma scop
    for (int i = 0; i < n; i++) { o[i] = 0; for (int j = 0; j <= i; j++) o[i] += a[i - j][j]; }
#pragma endscop
}
static void up(int n, double **a) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) a[i][j] = i + j;
#pragma endscop
}
static void ups(int n, double **a) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) a[i][j] = i + 2 * j;
#pragma endscop
}
static void lo(int n, double **a) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) a[i][j] = i + 3 * j;
#pragma endscop
}
static void cut(int n, int m, double **a) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m - i; j++) a[i][j] = i + 4 * j;
#pragma endscop
}
int main(void) {
    int n = 24; double **a = malloc(n * sizeof *a), *o = malloc(n * sizeof *o);
    for (int i = 0; i < n; i++) { a[i] = malloc(n * sizeof **a);
        for (int j = 0; j < n; j++) a[i][j] = (i * 31 + j) % 17; }
    for (int k = 0; k < 3; k++) {
      int m = k == 0 ? n : k == 1 ? 1 : 0;
      double s = 0;
      diag(m, a, o); for (int i = 0; i < m; i++) s = s * .9 + o[i]; printf("%.10g ", s);
      up(m, a); ups(m, a); lo(m, a); cut(1000 * (k == 0), 9, a);
      for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) s = s * .99 + a[i][j];
      printf("%.10g\n", s);
    }
}
