// device 9
// threads.c -- parallel regions with several shared loops inside, as NAS codes write them.
#include "../suite.h"
#define N 900
static double x[N], y[N], z[N];
static double norm;

static void orphan(int n, double s) { // called by all threads
    int i;
#pragma omp for
    for (i = 0; i < n; i++)
        z[i] = z[i] * s + y[i];
}
static double several(int n, int rounds) {
    int i, j, t;
    double sum = 0.0, local;
#pragma omp parallel default(shared) private(i, j, t, local)
    {
        for (t = 0; t < rounds; t++) {
#pragma omp for
            for (i = 0; i < n; i++)
                y[i] = x[i] + t;
#pragma omp for nowait
            for (i = 1; i < n - 1; i++) {
                local = 0.0;
                for (j = -1; j <= 1; j++)
                    local += y[i + j];
                z[i] = local / 3.0;
            }
#pragma omp barrier
#pragma omp single
            norm = z[n / 2];
#pragma omp for reduction(+ : sum) schedule(static)
            for (i = 0; i < n; i++)
                sum += z[i] * norm;
        }
        orphan(n, 0.5);
    }
    return sum;
}
static int last(int n, int *v) {
    int i, k = 0;
#pragma omp parallel
    {
#pragma omp for lastprivate(k)
        for (i = 0; i < n; i++) {
            k = i * 3;
            v[i] = k;
        }
    }
    return k;
}
static void serial_inside(int n, double *w) { // stays with the threads: each needs the one before
#pragma omp parallel
    {
#pragma omp single
        for (int i = 1; i < n; i++)
            w[i] += w[i - 1] * 0.5;
#pragma omp for
        for (int i = 0; i < n; i++)
            w[i] *= 2.0;
    }
}
static void data_decides(int n, const int *at, double *w) { // asserted
#pragma omp parallel
#pragma omp for
    for (int i = 0; i < n; i++)
        w[at[i]] = i;
}
static double left; // each thread's own
#pragma omp threadprivate(left)
static int marks;
#pragma omp threadprivate(marks)
static void own(int n, const double *w) { // each thread's, and set in each iteration before it is read
    double set, sometimes = 0.25;
    int i;
#pragma omp parallel private(set, i) firstprivate(sometimes)
    {
        double here;
#pragma omp for
        for (i = 0; i < n; i++) {
            set = w[i] * 2.0;
            here = set + 1.0;
            left = here * here;
            y[i] = left - set;
        }
#pragma omp for
        for (i = 0; i < n; i++) {
            if (w[i] > 0.0)
                sometimes = w[i] * 4.0;
            if (w[i] > 0.0)
                z[i] = sometimes;
        }
    }
}
static void handed(int n, double *w) { // and what it hands on from one to the next
    int i;
    double c = 1.0;
#pragma omp parallel for
    for (i = 0; i < n; i++)
        if (w[i] > 0.5)
            marks++; // each thread's own count
#pragma omp parallel firstprivate(c) private(i) num_threads(1)
#pragma omp for
    for (i = 0; i < n; i++) {
        c = c * 0.5 + w[i];
        w[i] = c;
    }
}
int main(void) {
    static int v[N], at[N];
    fill_doubles(x, N);
    for (int i = 0; i < N; i++) at[i] = (i * 7) % N;
    printf("%.6e\n", several(N, 4));
    show_doubles("y", y, N), show_doubles("z", z, N);
    printf("%d\n", last(N, v));
    show_ints("v", v, N);
    serial_inside(N, x);
    show_doubles("x", x, N);
    data_decides(N, at, x);
    show_doubles("x", x, N);
    own(N, x);
    show_doubles("y", y, N), show_doubles("z", z, N);
    handed(N, x);
    show_doubles("x", x, N);
    int all = 0;
#pragma omp parallel reduction(+ : all)
    all += marks;
    printf("%d\n", all);
    orphan(N, 2.0);
    show_doubles("z", z, N);
    suite_use();
    return 0;
}
