// SPDX-License-Identifier: MIT
// repeat.c -- SCULPT_REPEAT: the kernels of a finished call again, only to be timed.
//
// The call is over: its results are on the host. The launches work on what it left in
// device memory and nothing of theirs is ever brought home. They run only while no buffer
// at all holds values that anybody trusts, so even a kernel that is led astray by data it
// changed itself can't harm a later call, which sends all that it reads.
#include "run/state.h"
#include <stdlib.h>

enum { REPEAT_MAX = 1000, MOST_IN_A_ROW = 100 };
static const double SHORT = 1e-3; // seconds

static bool nothing_is_trusted(const Memory *m) {
    for (const Slab *s = m->slabs; s; s = s->next)
        if (s->valid.n || s->dirty.n) return false;
    return !m->holds;
}

static int compare(const void *x, const void *y) {
    double d = *(const double *)x - *(const double *)y;
    return (d > 0) - (d < 0);
}

// Seconds of one launch of the nest, as the mean of `times` in a row; < 0: it failed.
static double time_once(Launch *l, int times) {
    Device *d = l->run->device;
    double t = time_now();
    d->ops->mark(d, 0);
    for (int i = 0; i < times; i++)
        if (!launch_nest(l)) return -1;
    d->ops->mark(d, 1);
    if (!d->ops->sync(d)) return -1;
    double all = time_now() - t, on_device = d->ops->elapsed(d);
    return (on_device >= 0 ? on_device : all) / times;
}

// So many that what the device does between two marks outlasts the marks themselves.
static int in_a_row(double once) {
    if (once <= 0 || once > SHORT) return 1;
    return SHORT / once < MOST_IN_A_ROW ? (int)(SHORT / once) : MOST_IN_A_ROW;
}

void repeat_time(Launch *l) {
    Run *r = l->run;
    Stats *s = &l->unit->stats;
    int n = r->set.repeat < REPEAT_MAX ? r->set.repeat : REPEAT_MAX;
    if (n <= 0 || !r->memory || !nothing_is_trusted(r->memory)) return;
    double start = time_now(), seconds[n], once = time_once(l, 1);
    int times = in_a_row(once);
    for (int i = 0; i < n; i++) {
        seconds[i] = once < 0 ? once : time_once(l, times);
        if (seconds[i] >= 0) continue;
        report_warning(r, SC_DEVICE_FAILED, "repeating kernels: %s; the original loops run from here",
                       r->device->error);
        r->dead = true;
        return;
    }
    qsort(seconds, (size_t)n, sizeof *seconds, compare);
    s->median += n % 2 ? seconds[n / 2] : 0.5 * (seconds[n / 2 - 1] + seconds[n / 2]);
    s->repeated++;
    r->away += time_now() - start;
}
