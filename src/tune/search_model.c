// SPDX-License-Identifier: MIT
// search_model.c -- by the model's price, which what is measured corrects, family by family.
//
// A point is expected to take its price times what its family's measured points took beyond theirs, or all
// points' where none of the family is measured; how far that may be off is what it was off so far, within
// families or between them. The next point is the one that may be the quickest, where one whose price is that
// of a measured point tells little: what the model takes for the same takes the same time, mostly. It ends
// when no point that is left may beat the best.
#include "tune/search.h"
#include <math.h>

static const double UNKNOWN = 3;  // what the model may err by before it is known…
static const double LEAST = 1.15; // …and at least
static const double BOLD = 0.5;   // of the error that is hoped for when the next is chosen
static const double NEAR = 0.01;  // prices that differ by less, as a logarithm, are partly one…
static const double SAME = 0.2;   // …and so much of the error is hoped for where they are the same
enum { ENOUGH = 8 };              // measurements after which its error is known

typedef struct Scale {
    double sum, squares; // of logarithms: measured over price
    int n;
} Scale;

static void see(Scale *k, double x) { k->sum += x, k->squares += x * x, k->n++; }
static double mean(const Scale *k) { return k->n ? k->sum / k->n : 0; }

static double spread(const Scale *k) {
    double m = mean(k), v = k->n > 1 ? (k->squares - k->n * m * m) / (k->n - 1) : 0;
    return v > 0 ? sqrt(v) : 0;
}

// The family's, of which a few others' count as one.
static double scale_of(const Scale *all, const Scale *own) { return (mean(all) + own->sum) / (1 + own->n); }

// What is known of the model: of all points, of each family's, and of those around their families' means.
typedef struct Known {
    Scale all, within, *own;
} Known;

static Known known(const Search *s, int families) {
    Known k = {.own = NEW_N(s->a, Scale, families + 1)};
    for (int i = 0; i < s->space->n; i++) {
        if (!isfinite(s->value[i])) continue;
        see(&k.all, log(s->value[i] / search_price(s, i)));
        see(&k.own[s->space->at[i].family], log(s->value[i] / search_price(s, i)));
    }
    for (int i = 0; i < s->space->n; i++)
        if (isfinite(s->value[i]))
            see(&k.within,
                log(s->value[i] / search_price(s, i)) - scale_of(&k.all, &k.own[s->space->at[i].family]));
    return k;
}

// How far a family's expected times may be off, as a logarithm.
static double error_of(const Known *k, int family) {
    if (k->all.n < ENOUGH) return log(UNKNOWN);
    return fmax(log(LEAST), 3 * spread(k->own[family].n ? &k->within : &k->all));
}

// How much of its error may still be hoped for at a point, by the nearest price that was measured.
static double news(const Search *s, int point) {
    double nearest = NEAR;
    for (int i = 0; i < s->space->n; i++) {
        const char *mine = s->space->at[point].bound, *bound = s->space->at[i].bound;
        if (!isfinite(s->value[i]) || (mine && bound && !str_eq(mine, bound))) continue;
        nearest = fmin(nearest, fabs(log(search_price(s, point) / search_price(s, i))));
    }
    return SAME + (1 - SAME) * nearest / NEAR;
}

static void run(Search *s) {
    int families = 0, n = s->space->n;
    for (int i = 0; i < n; i++)
        if (s->space->at[i].family >= families) families = s->space->at[i].family + 1;
    double *score = NEW_N(s->a, double, n + 1);
    while (!search_over(s)) {
        Known k = known(s, families);
        double hope = INFINITY;
        for (int i = 0; i < n; i++) {
            if (!isnan(s->value[i])) continue;
            int f = s->space->at[i].family;
            double expected = log(search_price(s, i)) + scale_of(&k.all, &k.own[f]), error = error_of(&k, f);
            hope = fmin(hope, expected - error);
            score[i] = expected - BOLD * error * news(s, i);
        }
        if (s->best >= 0 && k.all.n >= ENOUGH && hope > log(s->value[s->best])) {
            s->ended = "what is left can't win by the model's error so far";
            return;
        }
        int next = search_least(s, score);
        if (next < 0) return;
        search_try(s, next);
    }
}

const Tactic search_model = {"model", "by the model's price, which what is measured corrects", run};
