// device 19
// newer.c -- scalars that directives hold on the device, changed there, and what other loops use them for.
#include "../suite.h"
#define N 1000
static int a[N], b[N];
static double x[N], y[N], total, pair[2];
struct Sums { double sum; int n; };

static void factor(void) { // a local variable
    int n = 0;
    double s = 0;
#pragma acc data copy(n, s, a, b, x, y)
    {
#pragma acc parallel loop reduction(+ : n)
        for (int i = 0; i < N; i++) n += a[i];
#pragma acc parallel loop reduction(+ : s)
        for (int i = 0; i < N; i++) s += i % 5;
#pragma acc parallel loop
        for (int i = 0; i < N; i++) b[i] = n, y[i] = x[i] * s;
    }
    printf("factor %d %g\n", n, s);
}
static void bound(void) { // a loop's bound
    int n = 5;
#pragma acc data copy(n, b)
    {
#pragma acc parallel loop
        for (int i = 0; i < 1; i++) n = N - 7;
#pragma acc parallel loop
        for (int i = 0; i < n; i++) b[i] += 7;
    }
    printf("bound %d\n", n);
}
static void counted(void) { // where a variable that the loop counts begins
    int n = 0;
#pragma acc data copy(n, a, b)
    {
#pragma acc parallel loop reduction(+ : n)
        for (int i = 0; i < N; i++) n += a[i];
#pragma sculpt
        for (int i = 0; i < N; i++) b[i] += n++;
    }
    printf("counted %d\n", n);
}
static void global(void) {
#pragma omp target data map(tofrom: total, x, y)
    {
#pragma omp target teams distribute parallel for reduction(+ : total)
        for (int i = 0; i < N; i++) total += i;
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; i++) y[i] += x[i] * total;
    }
    printf("global %g\n", total);
}
static void element(void) { // of an array
#pragma omp target data map(tofrom: pair, x, y)
    for (int t = 0; t < 3; t++) {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < 2; i++) pair[i] += i + t;
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; i++) y[i] += x[i] * pair[1];
    }
    printf("element %g\n", pair[1]);
}
static void members(struct Sums *p) { // behind a pointer
#pragma acc data copy(p[0:1], y)
    {
#pragma acc parallel loop
        for (int i = 0; i < N; i++) p->n += i % 2;
#pragma acc parallel loop
        for (int i = 0; i < 1; i++) p->sum = 3.5;
#pragma acc parallel loop
        for (int i = 0; i < p->n; i++) y[i] += p->sum;
    }
    printf("members %d %g\n", p->n, p->sum);
}
static void sum_into(double *s) {
#pragma acc parallel loop
    for (int i = 0; i < 1; i++) *s = 12;
}
static void use(const double *s) {
    const double by = *s; // the host's
#pragma acc parallel loop
    for (int i = 0; i < N; i++) y[i] += *s + by;
}
static void handed_on(void) { // entered elsewhere than where it is used
    double s = 1;
#pragma acc enter data copyin(s)
    sum_into(&s);
#pragma acc update host(s)
    sum_into(&s);
    use(&s);
#pragma acc exit data copyout(s)
    printf("handed_on %g\n", s);
}
static void first(void) { // firstprivate
    double s = 1;
#pragma acc data copy(s, y)
    {
#pragma acc parallel loop reduction(+ : s)
        for (int i = 0; i < N; i++) s += i % 3;
#pragma acc parallel loop firstprivate(s)
        for (int i = 0; i < N; i++) y[i] += i % 2 ? s : 0;
    }
    printf("first %g\n", s);
}
static void host_between(void) { // what the host has set meanwhile stays
    int n = 2;
#pragma acc data copyin(b) create(n)
    {
        n = 9;
#pragma acc update device(n)
#pragma acc parallel loop
        for (int i = 0; i < N; i++) a[i] += b[i] % n;
    }
    printf("host_between %d\n", n);
}

int main(void) {
    struct Sums s = {1, 2};
    for (int i = 0; i < N; i++) a[i] = i % 3, x[i] = i * 0.5;
    factor(), bound(), counted(), global(), element(), members(&s), handed_on(), first(), host_between();
    show_ints("a", a, N), show_ints("b", b, N), show_doubles("y", y, N);
    suite_use();
    return 0;
}
