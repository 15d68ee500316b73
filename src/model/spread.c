// SPDX-License-Identifier: MIT
// spread.c -- which of many iterations, warps or blocks are looked at, and for how many each stands.
#include "model/walk.h"

static void take(Samples *s, int64_t at, double weight) {
    s->at[s->n] = at;
    s->weight[s->n++] = weight;
}

// Iterations before `at` that are of a kind.
static int64_t members(const Turns *t, int kind, int64_t at) {
    int64_t whole = 0, rest = 0;
    if (!t) return at;
    for (int k = 0; k < t->period; k++)
        if (t->kind[k] == kind) whole++, rest += k < at % t->period;
    return at / t->period * whole + rest;
}

// The n-th iteration of a kind, from 0.
static int64_t member(const Turns *t, int kind, int64_t n) {
    int64_t whole = t ? members(t, kind, t->period) : 0;
    if (!t || !whole) return n;
    int64_t left = n % whole;
    int at = 0;
    while (t->kind[at] != kind || left-- > 0) at++;
    return n / whole * t->period + at;
}

// The iterations from … to - 1 of one kind.
typedef struct Part {
    const Turns *turns;
    int kind;
    int64_t first, n; // from the how-manieth of the kind on, how many
} Part;

// `some` of a part: evenly spread, and over all positions modulo 8, so that rows which begin at different
// places of a sector all have their share.
static void stretch(Samples *s, const Part *p, int some, int depth) {
    for (int k = 0; k < some; k++) {
        int64_t phase = (5 * k + 3 * depth) % 8;
        double part = p->n + 1 > 16 * some ? 0.5 : ((double)phase + 0.5) / 8;
        int64_t at = (int64_t)((k + part) * (double)p->n / some);
        if (p->n + 1 > 16 * some) at = at - at % 8 + phase;
        take(s, member(p->turns, p->kind, p->first + (at < p->n ? at : p->n - 1)), (double)p->n / some);
    }
}

void spread(Samples *s, int64_t total, int some, int depth) {
    s->whole = total <= some + 1;
    if (some > SAMPLES_MAX) some = SAMPLES_MAX;
    s->n = s->whole ? total : 0;
    if (s->whole) return;
    if (some == 0) return take(s, total / 2, (double)total);
    stretch(s, &(Part){.n = total - 1}, some, depth);
    take(s, total - 1, 1);
}

// Weights whose mean is that of all: then whatever goes with the counter sums up as if all were looked at.
static void balance(Samples *s, int first, double mean) {
    double sum = 0, weight = 0, spread = 0;
    for (int k = first; k < s->n; k++) sum += s->weight[k] * (double)s->at[k], weight += s->weight[k];
    double middle = sum / weight;
    for (int k = first; k < s->n; k++)
        spread += s->weight[k] * ((double)s->at[k] - middle) * ((double)s->at[k] - middle);
    double tilt = spread > 0 ? (mean - middle) * weight / spread : 0;
    for (int k = first; k < s->n; k++) {
        double by = 1 + tilt * ((double)s->at[k] - middle);
        if (by <= 0) return;
    }
    for (int k = first; k < s->n; k++) s->weight[k] *= 1 + tilt * ((double)s->at[k] - middle);
}

// The mean of a part's iterations; where several of a kind lie in a period, but for a part of that.
static double mean_of(const Part *p) {
    return ((double)member(p->turns, p->kind, p->first) +
            (double)member(p->turns, p->kind, p->first + p->n - 1)) /
           2;
}

static void spread_part(Samples *s, const Part *p, int64_t total, int some, int depth) {
    int first = s->n, share = (int)((double)some * (double)p->n / (double)total + 0.5);
    int part = p->n <= 2 ? (int)p->n : share < 2 ? 2 : share; // two at least, for a mean
    if (s->n + part > SAMPLES_MAX) part = SAMPLES_MAX + 1 - s->n;
    if (part <= 0) return;
    stretch(s, p, part, depth);
    balance(s, first, mean_of(p));
}

void spread_between(Samples *s, int64_t total, int some, int depth, int nbends, const int64_t bends[],
                    const Turns *turns) {
    int kinds = turns ? turns->kinds : 1;
    if ((nbends == 0 && kinds == 1) || some < 2 || total <= some + 1) return spread(s, total, some, depth);
    *s = (Samples){0};
    for (int k = 0; k <= nbends; k++) {
        int64_t from = k ? bends[k - 1] : 0, to = k < nbends ? bends[k] : total;
        for (int kind = 0; kind < kinds; kind++) {
            Part p = {turns, kind, members(turns, kind, from),
                      members(turns, kind, to) - members(turns, kind, from)};
            if (p.n > 0) spread_part(s, &p, total, some, depth);
        }
    }
}
