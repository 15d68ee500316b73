// SPDX-License-Identifier: MIT
// duel.c -- two ways to do the same: timed in turns, what they leave compared.
#include "tune/duel.h"
#include "tune/pool.h"
#include <math.h>
#include <string.h>

enum { WARM = 2, PAIRS_MAX = 400, PART = 1 << 17 };
static const double SLOW = 0.02; // one run is enough to warm up

bool duel_time(Lab *l, const Timed *base, const Timed *mine, const TrialOptions *o, Duel *out) {
    double x[PAIRS_MAX], y[PAIRS_MAX], gain[PAIRS_MAX], start = time_now();
    double first = 0, other = 0;
    for (int i = 0; i < WARM && first < SLOW; i++) { // both have run before
        if ((other = lab_time(l, 1, base->go, base->arg)) < 0) return false;
        if ((first = lab_time(l, 1, mine->go, mine->arg)) < 0) return false;
    }
    *out = (Duel){.seconds = first, .base = other, .gain = other / first, .low = 0, .first = first};
    if (o->keep > 0 && first > other / o->keep) return out->slow = true;
    double longer = first > other ? first : other;
    int repeat = longer > 2e-3 ? 1 : longer < 1e-5 ? 200 : (int)(2e-3 / longer) + 1, n = 0;
    while (n < PAIRS_MAX && (n < o->pairs || time_now() - start < o->budget_s)) {
        if (n >= 3 && o->budget_s > 0 && time_now() - start > 2 * o->budget_s) break;
        const Timed *two[] = {base, mine}; // each goes first in turn
        double t[2];
        for (int i = 0; i < 2; i++) {
            int which = (n + i) & 1;
            if ((t[which] = lab_time(l, repeat, two[which]->go, two[which]->arg)) < 0) return false;
        }
        y[n] = t[0], x[n] = t[1];
        gain[n] = x[n] > 0 ? y[n] / x[n] : 0;
        n++;
    }
    out->pairs = n;
    out->seconds = median(n, x), out->base = median(n, y), out->gain = median(n, gain);
    out->low = gain[n / 4];
    return true;
}

static double number_at(Type t, const char *at) {
    float f;
    double d;
    if (t == T_F32) return memcpy(&f, at, sizeof f), f;
    return memcpy(&d, at, sizeof d), d;
}

double elements_apart(const Elements *e, const char *were, double terms) {
    double unit = e->type == T_F64 ? 0x1p-52 : 0x1p-23, size = 1;
    if (!type_is_float(e->type)) return 0;
    for (int64_t i = 0; i < e->n; i++) {
        double v = fabs(number_at(e->type, were + i * e->stride));
        if (isfinite(v) && v > size) size = v;
    }
    return unit * (64 + 4 * sqrt(terms)) * size;
}

typedef struct Compare {
    const Elements *e;
    const char *were, *are;
    double apart;
    int64_t *differs; // of each part: the first, -1: none
} Compare;

static void compare_part(int64_t part, void *arg) {
    const Compare *k = arg;
    Type type = k->e->type;
    size_t size = (size_t)type_size(type);
    bool real = type_is_float(type);
    int64_t end = (part + 1) * PART < k->e->n ? (part + 1) * PART : k->e->n;
    k->differs[part] = -1;
    for (int64_t i = part * PART; i < end && k->differs[part] < 0; i++) {
        const char *were = k->were + i * k->e->stride, *are = k->are + i * k->e->stride;
        if (memcmp(were, are, size) == 0) continue;
        double v = real ? number_at(type, were) : 0, w = real ? number_at(type, are) : 1;
        if (!real || !(fabs(v - w) <= k->apart || (isnan(v) && isnan(w)) || v == w)) k->differs[part] = i;
    }
}

int64_t elements_differ(int threads, const Elements *e, const char *were, const char *are, double apart) {
    Arena *scratch = arena_new();
    int64_t parts = (e->n + PART - 1) / PART, at = -1;
    Compare c = {e, were, are, apart, NEW_N(scratch, int64_t, parts + 1)};
    pool_run(threads, parts, compare_part, &c);
    for (int64_t p = 0; p < parts && at < 0; p++) at = c.differs[p];
    arena_free(scratch);
    return at;
}
