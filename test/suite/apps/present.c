// device 0
// present.c -- what is present where a device has memory of its own, by OpenACC's and OpenMP's counts.
#include "../suite.h"
#include <omp.h>
#include <openacc.h>
#define N 100
struct four { int a, b, c, d, e; };
static double x[N], y[N], other[N];
static int wrong;
static int acc_has(void *p, size_t n) { return acc_is_present(p, n) != 0; }
static int omp_has(void *p) { return omp_target_is_present(p, omp_get_default_device()) != 0; }
static int apart; // else everything is always there
static void acc_is(int line, void *p, size_t n, int want) {
    if (apart && acc_has(p, n) != want) printf("line %d\n", line), wrong++;
}
static void omp_is(int line, void *p, int want) {
    if (apart && omp_has(p) != want) printf("line %d\n", line), wrong++;
}
#define ACC(p, n, want) acc_is(__LINE__, p, n, want)
#define OMP(p, want) omp_is(__LINE__, p, want)

static void functions(void) {
    acc_copyin(x, sizeof x), acc_copyin(x, sizeof x), acc_create(y, sizeof y);
    ACC(x, sizeof x, 1), ACC(x + 9, 8, 1), ACC(x, sizeof x + 1, 0), ACC(y, sizeof y, 1), ACC(other, 8, 0);
    acc_delete(x, sizeof x);
    ACC(x, sizeof x, 1);
    acc_delete(x, sizeof x), acc_delete(y, sizeof y);
    ACC(x, sizeof x, 0), ACC(y, 8, 0);
    acc_delete(x, sizeof x);
    acc_copyin(x, sizeof x), acc_copyin(x, sizeof x), acc_copyin(x, sizeof x);
    acc_copyout_finalize(x, sizeof x);
    ACC(x, sizeof x, 0);
}
static void directives(void) {
#pragma acc enter data copyin(x[0:N])
#pragma acc enter data copyin(x[0:N]) create(y)
    ACC(x, sizeof x, 1), ACC(y, sizeof y, 1);
#pragma acc exit data delete(x, y)
    ACC(x, sizeof x, 1), ACC(y, sizeof y, 0);
#pragma acc enter data copyin(x[0:N])
#pragma acc exit data delete(x[0:N]) finalize
    ACC(x, sizeof x, 0);
#pragma acc data copyin(x)
    {
#pragma acc enter data copyin(x)
#pragma acc exit data delete(x) finalize
        ACC(x, sizeof x, 1);
#pragma acc exit data copyout(x)
        ACC(x, sizeof x, 1);
    }
    ACC(x, sizeof x, 0);
#pragma acc data copy(x)
    {
#pragma acc enter data copyin(x)
    }
    ACC(x, sizeof x, 1);
#pragma acc exit data copyout(x)
    ACC(x, sizeof x, 0);
}
static void maps(void) {
    unsigned a = 1;
    unsigned char *p = (unsigned char *)&a, *q = p + 2;
#pragma omp target enter data map(to: a)
#pragma omp target enter data map(alloc: p[:1], q[:1])
    OMP(&a, 1), OMP(p, 1), OMP(q, 1);
#pragma omp target exit data map(release: a)
    OMP(&a, 1), OMP(p, 1), OMP(q, 1);
#pragma omp target exit data map(from: q[:1])
    OMP(&a, 0), OMP(p, 0), OMP(q, 0);
#pragma omp target enter data map(to: x)
#pragma omp target enter data map(always, to: x[0:4], y[6:2])
#pragma omp target exit data map(delete: x, y)
    OMP(x, 0);
#pragma omp target data map(tofrom: x, y[0:N])
    {
        OMP(x, 1), OMP(y + N - 1, 1);
#pragma omp target enter data map(to: x)
    }
    OMP(x, 1), OMP(y, 0);
#pragma omp target exit data map(release: x)
    OMP(x, 0);
}
static void members(void) { // those of one directive come and go together
    struct four s = {1, 2, 3, 4, 5};
#pragma omp target enter data map(alloc: s.a, s.b)
#pragma omp target exit data map(release: s.b)
    OMP(&s.a, 0), OMP(&s.b, 0);
#pragma omp target enter data map(alloc: s.a, s.b, s.c, s.d)
#pragma omp target enter data map(alloc: s.c)
#pragma omp target enter data map(alloc: s.b, s.d)
#pragma omp target enter data map(alloc: s.a, s.c, s.b)
    OMP(&s.e, 0);
#pragma omp target exit data map(release: s.a)
#pragma omp target exit data map(release: s.d)
#pragma omp target exit data map(release: s.c)
    OMP(&s.a, 1), OMP(&s.d, 1);
#pragma omp target exit data map(release: s.b)
    OMP(&s.a, 0), OMP(&s.b, 0), OMP(&s.c, 0), OMP(&s.d, 0);
#pragma omp target enter data map(to: s)
    int *p = &s.b, *q = &s.d;
#pragma omp target enter data map(alloc: p[:1], q[:1])
#pragma omp target exit data map(release: s)
    OMP(&s, 1), OMP(p, 1), OMP(q, 1);
#pragma omp target exit data map(from: q[:1])
    OMP(&s, 0), OMP(p, 0), OMP(q, 0);
}
int main(void) {
    static int probe;
    acc_init(acc_device_default);
    const char *name = acc_get_property_string(0, acc_device_default, acc_property_name);
    apart = name && (strncmp(name, "opencl", 6) == 0 || strncmp(name, "cuda", 4) == 0);
    functions(), directives(), maps(), members();
    ACC(&probe, sizeof probe, 0);
    if (apart && omp_target_is_present(&probe, omp_get_initial_device()) == 0) wrong++;
    printf("wrong %d\n", wrong);
    suite_use();
    return 0;
}
