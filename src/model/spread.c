// SPDX-License-Identifier: MIT
// spread.c -- which of many iterations, warps or blocks are looked at, and for how many each stands.
#include "model/walk.h"

static void take(Samples *s, int64_t at, double weight) {
    s->at[s->n] = at;
    s->weight[s->n++] = weight;
}

// `some` of from … from + total - 1: evenly spread, and over all positions modulo 8, so that rows which begin at
// different places of a sector all have their share.
static void stretch(Samples *s, int64_t from, int64_t total, int some, int depth) {
    for (int k = 0; k < some; k++) {
        int64_t phase = (5 * k + 3 * depth) % 8;
        double part = total + 1 > 16 * some ? 0.5 : ((double)phase + 0.5) / 8;
        int64_t at = (int64_t)((k + part) * (double)total / some);
        if (total + 1 > 16 * some) at = at - at % 8 + phase;
        take(s, from + (at < total ? at : total - 1), (double)total / some);
    }
}

void spread(Samples *s, int64_t total, int some, int depth) {
    s->whole = total <= some + 1;
    if (some > SAMPLES_MAX) some = SAMPLES_MAX;
    s->n = s->whole ? total : 0;
    if (s->whole) return;
    if (some == 0) return take(s, total / 2, (double)total);
    stretch(s, 0, total - 1, some, depth);
    take(s, total - 1, 1);
}

// Weights whose mean is that of all: then whatever goes with the counter sums up as if all were looked at.
static void balance(Samples *s, int first, double mean) {
    double sum = 0, weight = 0, spread = 0;
    for (int k = first; k < s->n; k++) sum += s->weight[k] * (double)s->at[k], weight += s->weight[k];
    double middle = sum / weight;
    for (int k = first; k < s->n; k++) spread += s->weight[k] * ((double)s->at[k] - middle) * ((double)s->at[k] - middle);
    double tilt = spread > 0 ? (mean - middle) * weight / spread : 0;
    for (int k = first; k < s->n; k++) {
        double by = 1 + tilt * ((double)s->at[k] - middle);
        if (by <= 0) return;
    }
    for (int k = first; k < s->n; k++) s->weight[k] *= 1 + tilt * ((double)s->at[k] - middle);
}

void spread_between(Samples *s, int64_t total, int some, int depth, int nbends, const int64_t bends[]) {
    if (nbends == 0 || some < 2 || total <= some + 1) return spread(s, total, some, depth);
    *s = (Samples){0};
    for (int k = 0; k <= nbends; k++) {
        int64_t from = k ? bends[k - 1] : 0, n = (k < nbends ? bends[k] : total) - from;
        int first = s->n, share = (int)((double)some * (double)n / (double)total + 0.5);
        int part = n <= 2 ? (int)n : share < 2 ? 2 : share; // two at least, for a mean
        if (s->n + part > SAMPLES_MAX) part = SAMPLES_MAX + 1 - s->n;
        if (part <= 0) break;
        stretch(s, from, n, part, depth);
        balance(s, first, (double)from + (double)(n - 1) / 2);
    }
}
