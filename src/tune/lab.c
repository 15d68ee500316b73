// SPDX-License-Identifier: MIT
// lab.c -- a device to measure on, and how time is taken there.
#include "tune/tune.h"
#include "run/machine.h"
#include "tune/vendor.h"
#include <sched.h>
#include <stdlib.h>

int lab_threads(void) {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0 ? CPU_COUNT(&set) : 1;
}

Lab *lab_bare(Arena *a, const char *spec, const char **why) {
    Lab *l = NEW(a, Lab);
    l->a = a;
    l->threads = lab_threads();
    l->d = device_open(a, spec, why);
    if (!l->d) return NULL;
    l->info = l->d->ops->info(l->d);
    l->no_vendor = "it was not asked for";
    const char *as = env_get("SCULPT_PLAN_FOR");
    if (as) l->machine = machine_as(a, &l->info, as, why);
    if (as && !l->machine) return NULL;
    return l;
}

Lab *lab_open(Arena *a, const char *spec, const char **why) {
    Lab *l = lab_bare(a, spec, why);
    if (l) l->vendor = vendor_open(a, l->d, &l->no_vendor);
    return l;
}

double lab_time(Lab *l, int repeat, bool (*go)(void *arg), void *arg) {
    Device *d = l->d;
    double start = time_now();
    d->ops->mark(d, 0);
    for (int i = 0; i < repeat; i++)
        if (!go(arg)) return -1;
    d->ops->mark(d, 1);
    if (!d->ops->sync(d)) return -1;
    double all = time_now() - start, on_device = d->ops->elapsed(d);
    return (on_device >= 0 ? on_device : all) / repeat;
}

static int compare(const void *x, const void *y) {
    double d = *(const double *)x - *(const double *)y;
    return (d > 0) - (d < 0);
}

double median(int n, double *values) {
    if (n == 0) return 0;
    qsort(values, (size_t)n, sizeof *values, compare);
    return n % 2 ? values[n / 2] : 0.5 * (values[n / 2 - 1] + values[n / 2]);
}
