// answers.c -- the three answers to a mark: proved, disproved, unknown.
static float a[100], b[100];
static int at[100];

void proved(void) {
#pragma omp parallel for
    for (int i = 0; i < 100; i++)
        a[i] = b[i];
}
void disproved(void) {
#pragma omp parallel for
    for (int i = 1; i < 100; i++)
        a[i] = a[i - 1] + b[i];
}
void disproved_outer(void) {
    static float m[20][20];
#pragma omp parallel for
    for (int i = 1; i < 20; i++)
        for (int j = 0; j < 20; j++)
            m[i][j] = m[i - 1][j] + 1;
}
void asserted(void) {
#pragma omp parallel for
    for (int i = 0; i < 100; i++)
        a[at[i]] = b[i];
}
void looked_at(void) {
#pragma scop
    for (int i = 0; i < 100; i++)
        a[at[i]] = b[i];
#pragma endscop
}
void serial(void) {
#pragma scop
    for (int i = 2; i < 100; i++)
        a[i] = a[i - 2] * b[i];
#pragma endscop
}
float ordered(void) {
    float s = 0;
#pragma scop
    for (int i = 0; i < 100; i++)
        s += a[i];
#pragma endscop
    return s;
}
float permitted(void) {
    float s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < 100; i++)
        s += a[i];
    return s;
}
void unknown(void) {
#pragma scop
    for (int i = 0; i < 100; i++)
        a[at[i] % 7] = a[i] + b[i];
#pragma endscop
}
// flags: -fopenmp
void rows(int n, float *f) {
#pragma sculpt
    for (int k = 0; k < n; k++) {
        float(*c)[n] = (void *)f;
        for (int i = 0; i < n; i++) c[k][i] += 1;
    }
}
void again(int n, float c[n][n]) {
#pragma sculpt
    for (int q = 0; q < 5; q++)
        for (int i = 0; i < n; i++)
            for (int k = 0; k < n; k++) c[i][k] = c[i][k] + 1;
}
struct tail {
    int n;
    float data[];
};
void tails(struct tail *p, int n) {
#pragma sculpt
    for (int i = 0; i < n; i++) p->data[i] += 1;
}
// What the mark names is said to be no reduction, neither a false mark nor one that is rested on.
int no_reduction(int n, const int *p) {
    int m = 0;
#pragma omp parallel for reduction(max : m)
    for (int i = 0; i < n; i++) m = p[i] > m + 1 ? p[i] : m;
    return m;
}
struct Pair {
    double w[4];
    float *x;
};
void members(struct Pair *p, unsigned long n) {
#pragma omp parallel for
    for (unsigned long i = 1; i < n; i++) p->w[1] = p->x[i - 1];
#pragma omp parallel for
    for (unsigned long i = 1; i < n; i++) p->x[i] = p->x[i - 1] + 1;
}
void bins(int n, int m, float *h, const float *x) {
#pragma omp parallel for reduction(+ : h [0:m])
    for (int i = 0; i < n; i++) h[(int)(x[i] * m)] += 1.0f;
}
int inside(int n, const int *p) {
    return ({
        int s = 0;
#pragma omp parallel for reduction(+ : s)
        for (int i = 0; i < n; i++) s += p[i];
        s;
    });
}
// device 9
// says no value of at is there twice, which each call looks at

// warning 11:1 the mark says parallel, but
// warning 17:1 the mark says parallel, but
// remark 23:1 parallelism rests on the mark
// remark 35:5 stays on the host: loop i carries a dependence on a
// remark 42:5 is a floating-point reduction in loop i and keeps its order; add reduction(+:s)
// remark 56:5 stays on the host: loop i carries a dependence on a
// remark 86:5 what loop i does with m at line 86 is not seen to be the reduction that its mark names
// warning 94:1 iterations of loop i set the same p->w[1] at line 95
// remark 95:5 loop i carries a dependence on p->w, from p->w[1] at line 95
// warning 96:1 one iteration of loop i sets p->x[i] at line 97 and another reads it as p->x[i - 1] at line 97
// remark 97:5 loop i carries a dependence on p->x, from p->x[i] at line 97 to p->x[i - 1]
// remark 106:1 they stand in an expression
