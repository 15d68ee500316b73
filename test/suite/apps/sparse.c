// device 7
// sparse.c -- rows and triples of sparse matrices, conjugate gradients, transposition.
#include "../suite.h"
typedef struct { int n, nnz, *row, *col; double *val; } Csr;
static void csr_mv(const Csr *A, const double *x, double *y) {
#pragma omp parallel for
    for (int i = 0; i < A->n; i++) {
        double s = 0;
        for (int k = A->row[i]; k < A->row[i + 1]; k++) s += A->val[k] * x[A->col[k]];
        y[i] = s;
    }
}
static double dot(int n, const double *x, const double *y) {
    double s = 0;
#pragma omp parallel for reduction(+:s)
    for (int i = 0; i < n; i++) s += x[i] * y[i];
    return s;
}
static void axpy(int n, double a, const double *x, double *y) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] += a * x[i];
}
static int cg(const Csr *A, const double *b, double *x, int most) {
    int n = A->n;
    double *r = malloc(n * sizeof *r), *p = malloc(n * sizeof *p), *q = malloc(n * sizeof *q);
    for (int i = 0; i < n; i++) x[i] = 0, r[i] = p[i] = b[i];
    double rr = dot(n, r, r);
    int it;
    for (it = 0; it < most && rr > 1e-20; it++) {
        csr_mv(A, p, q);
        double alpha = rr / dot(n, p, q);
        axpy(n, alpha, p, x);
        axpy(n, -alpha, q, r);
        double old = rr;
        rr = dot(n, r, r);
        double beta = rr / old;
#pragma omp parallel for
        for (int i = 0; i < n; i++) p[i] = r[i] + beta * p[i];
    }
    free(r), free(p), free(q);
    return it;
}
static void coo(int nnz, const int *ri, const int *ci, const double *v, const double *x, double *y) {
#pragma omp parallel for
    for (int k = 0; k < nnz; k++) {
#pragma omp atomic
        y[ri[k]] += v[k] * x[ci[k]];
    }
}
static void ell(int n, int width, const int *col, const float *val, const float *x, float *y) {
#pragma omp target teams distribute parallel for map(to: col[0:n*width], val[0:n*width], x[0:n]) \
    map(from: y[0:n])
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int k = 0; k < width; k++) {
            int c = col[k * n + i];
            if (c >= 0) s += val[k * n + i] * x[c];
        }
        y[i] = s;
    }
}
static void spmm(const Csr *A, int m, const double *X, double *Y) {
#pragma omp parallel for
    for (int i = 0; i < A->n; i++) {
        for (int j = 0; j < m; j++) Y[i * m + j] = 0;
        for (int k = A->row[i]; k < A->row[i + 1]; k++)
            for (int j = 0; j < m; j++) Y[i * m + j] += A->val[k] * X[A->col[k] * m + j];
    }
}
static void sptrans(const Csr *A, Csr *T) {
    int *count = calloc(A->n + 1, sizeof(int));
    for (int k = 0; k < A->nnz; k++) count[A->col[k] + 1]++;
    for (int i = 0; i < A->n; i++) count[i + 1] += count[i];
    memcpy(T->row, count, (A->n + 1) * sizeof(int));
    for (int i = 0; i < A->n; i++)
        for (int k = A->row[i]; k < A->row[i + 1]; k++) {
            int at = count[A->col[k]]++;
            T->col[at] = i;
            T->val[at] = A->val[k];
        }
    free(count);
}
static Csr poisson(int m) {
    int n = m * m;
    Csr A = {n, 0, malloc((n + 1) * sizeof(int)), malloc(5 * n * sizeof(int)),
             malloc(5 * n * sizeof(double))};
    for (int y = 0; y < m; y++)
        for (int x = 0; x < m; x++) {
            int i = y * m + x;
            A.row[i] = A.nnz;
            if (y > 0) A.col[A.nnz] = i - m, A.val[A.nnz++] = -1;
            if (x > 0) A.col[A.nnz] = i - 1, A.val[A.nnz++] = -1;
            A.col[A.nnz] = i, A.val[A.nnz++] = 4;
            if (x < m - 1) A.col[A.nnz] = i + 1, A.val[A.nnz++] = -1;
            if (y < m - 1) A.col[A.nnz] = i + m, A.val[A.nnz++] = -1;
        }
    A.row[n] = A.nnz;
    return A;
}
int main(void) {
    suite_use();
    Csr A = poisson(12), T = poisson(12);
    double x[144], y[144], X[144 * 5], Y[144 * 5];
    fill_doubles(x, 144); fill_doubles(X, 144 * 5);
    csr_mv(&A, x, y); show_doubles("csr", y, 144);
    printf("cg %d\n", cg(&A, y, x, 40) > 5); show_doubles("cg", x, 144);
    int ri[720];
    for (int i = 0; i < 144; i++) for (int k = A.row[i]; k < A.row[i + 1]; k++) ri[k] = i;
    coo(A.nnz, ri, A.col, A.val, x, y); show_doubles("coo", y, 144);
    spmm(&A, 5, X, Y); show_doubles("spmm", Y, 720);
    sptrans(&A, &T); show_doubles("tr", T.val, A.nnz); show_ints("tr", T.col, A.nnz);
    int ec[50 * 4]; float ev[200], ex[50], ey[50];
    for (int i = 0; i < 200; i++) ec[i] = (i * 13) % 60 - 8 >= 50 ? -1 : (i * 13) % 60 - 8;
    fill_floats(ev, 200); fill_floats(ex, 50);
    ell(50, 4, ec, ev, ex, ey); show_floats("ell", ey, 50);
    return 0;
}
