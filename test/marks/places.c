// places.c -- a mark with no loop, several statements, the mark's own place.
void nothing_marked(int *a) { a[0] = 1; }
void address(int n, int *b) {
#pragma scop
    for (int i = 0; i < n; i++)
        b[i] = ((const char *)(long)n)[i % 3];
#pragma endscop
}
void many(int n, int *a) {
#pragma scop
    a[0] = 3;
    for (int i = 1; i < n; i++)
        a[i] = a[0];
    a[1] = 5;
#pragma endscop
}
#define CHECK(c) if (!(c)) return;
void behind_a_macro(int n, int *a) {
    CHECK(n > 3)
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = 1;
#pragma endscop
}
double elsewhere(double);
void steps(int n, int m, double *restrict u, double *restrict v) { // one loop is a region, the other is not
    for (int t = 0; t < m; t++) {
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++) v[i] = 0.5 * (u[i - 1] + u[i + 1]);
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++) v[i] = elsewhere(v[i]);
        double *w = u;
        u = v;
        v = w;
    }
}
// device 2
// remarks 3
// remark 31:48 'elsewhere' may do anything

// remark 6:37 the target of this pointer can't be told
// remark 21:5 directly before them stands a macro without a semicolon, which they may be a part of; end it
