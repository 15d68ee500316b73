// device 10
// factors.c -- factorisations in the orders and spellings of textbooks: sums in variables, by rows and by
// columns.
#include "../suite.h"
#define N 57
static double A[N][N], B[N][N], x[N], y[N], b[N];

static void cholesky_rows(int n, double A[N][N]) {
#pragma scop
  for (int i = 0; i < n; i++) {
     for (int j = 0; j < i; j++) {
        double s = A[i][j];
        for (int k = 0; k < j; k++) s -= A[i][k] * A[j][k];
        A[i][j] = s / A[j][j];
     }
     double d = A[i][i];
     for (int k = 0; k < i; k++) d -= A[i][k] * A[i][k];
     A[i][i] = sqrt(d);
  }
#pragma endscop
}
static void cholesky_columns(int n, double a[N][N]) {
#pragma scop
  for (int j = 0; j < n; j++) {
    for (int k = 0; k < j; k++) for (int i = j; i < n; i++) a[i][j] -= a[i][k]*a[j][k];
    a[j][j] = sqrt(a[j][j]);
    for (int i = j+1; i < n; i++) a[i][j] /= a[j][j];
  }
#pragma endscop
}
static void cholesky_sums(int n, double a[N][N]) {
#pragma scop
  for (int j = 0; j < n; j++) {
    double d = a[j][j];
    for (int k = 0; k < j; k++) d -= a[j][k]*a[j][k];
    a[j][j] = sqrt(d);
    for (int i = j+1; i < n; i++) {
       double s = a[i][j];
       for (int k = 0; k < j; k++) s -= a[i][k]*a[j][k];
       a[i][j] = s / a[j][j];
    }
  }
#pragma endscop
}
static void lu_ikj(int n, double a[N][N]) {
#pragma scop
    for (int i = 1; i < n; i++)
        for (int k = 0; k < i; k++) {
            a[i][k] /= a[k][k];
            for (int j = k + 1; j < n; j++) a[i][j] -= a[i][k] * a[k][j];
        }
#pragma endscop
}
static void lu_jki(int n, double a[N][N]) {
#pragma scop
    for (int j = 0; j < n; j++) {
        for (int k = 0; k < j; k++)
            for (int i = k + 1; i < n; i++) a[i][j] -= a[i][k] * a[k][j];
        for (int i = j + 1; i < n; i++) a[i][j] /= a[j][j];
    }
#pragma endscop
}
static void doolittle(int n, double a[N][N]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            double s = a[i][j];
            for (int k = 0; k < j; k++) s -= a[i][k] * a[k][j];
            a[i][j] = s / a[j][j];
        }
        for (int j = i; j < n; j++) {
            double s = a[i][j];
            for (int k = 0; k < i; k++) s -= a[i][k] * a[k][j];
            a[i][j] = s;
        }
    }
#pragma endscop
}
static void crout(int n, double a[N][N]) {
#pragma scop
    for (int k = 0; k < n; k++) {
        for (int i = k; i < n; i++) {
            double s = a[i][k];
            for (int p = 0; p < k; p++) s -= a[i][p] * a[p][k];
            a[i][k] = s;
        }
        for (int j = k + 1; j < n; j++) {
            double s = a[k][j];
            for (int p = 0; p < k; p++) s -= a[k][p] * a[p][j];
            a[k][j] = s / a[k][k];
        }
    }
#pragma endscop
}
static void ldl(int n, double a[N][N]) {
#pragma scop
  for (int j = 0; j < n; j++) {
    for (int k = 0; k < j; k++) a[j][j] -= a[j][k]*a[j][k]*a[k][k];
    for (int i = j+1; i < n; i++) {
      for (int k = 0; k < j; k++) a[i][j] -= a[i][k]*a[j][k]*a[k][k];
      a[i][j] /= a[j][j];
    }
  }
#pragma endscop
}
static void many(int n, int m, double L[N][N], double B[N][N]) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int c = 0; c < m; c++) {
      for (int j = 0; j <i; j++) B[i][c] -= L[i][j] * B[j][c];
      B[i][c] = B[i][c] / L[i][i];
    }
#pragma endscop
}
static void ludcmp(int n, double A[N][N], double b[N], double x[N], double y[N]) {
    int i, j, k;
    double w;
#pragma scop
  for (i = 0; i < n; i++) {
    for (j = 0; j <i; j++) {
       w = A[i][j];
       for (k = 0; k < j; k++) {
          w -= A[i][k] * A[k][j];
       }
        A[i][j] = w / A[j][j];
    }
   for (j = i; j < n; j++) {
       w = A[i][j];
       for (k = 0; k < i; k++) {
          w -= A[i][k] * A[k][j];
       }
       A[i][j] = w;
    }
  }
  for (i = 0; i < n; i++) {
     w = b[i];
     for (j = 0; j < i; j++)
        w -= A[i][j] * y[j];
     y[i] = w;
  }
   for (i = n-1; i >=0; i--) {
     w = y[i];
     for (j = i+1; j < n; j++)
        w -= A[i][j] * x[j];
     x[i] = w / A[i][i];
  }
#pragma endscop
}
static void begin(double M[N][N]) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++) M[i][j] = M[j][i] = i == j ? N + suite_next() : suite_next() - 0.5;
}
static void show(const char *name, double M[N][N]) { show_doubles(name, &M[0][0], N * N); }
int main(void) {
    begin(A), cholesky_rows(N, A), show("rows", A);
    begin(A), cholesky_columns(N, A), show("columns", A);
    begin(A), cholesky_sums(N, A), show("sums", A);
    begin(A), lu_ikj(N, A), show("ikj", A);
    begin(A), lu_jki(N, A), show("jki", A);
    begin(A), doolittle(N, A), show("doolittle", A);
    begin(A), crout(N, A), show("crout", A);
    begin(A), ldl(N, A), show("ldl", A);
    begin(A), begin(B), many(N, N - 3, A, B), show("many", B);
    begin(A), fill_doubles(b, N), ludcmp(N, A, b, x, y), show("ludcmp", A);
    show_doubles("x", x, N), show_doubles("y", y, N);
    return 0;
}
