// SPDX-License-Identifier: MIT
// search_model.c -- by the model's price, which what is measured corrects, family by family.
//
// The next point is the one that is expected to be the quickest: its price times what its family's measured
// points took beyond theirs, or all points' where none of the family is measured. It ends when the best that
// is left, expected, lies beyond the best measured by more than the model has erred so far.
#include "tune/search.h"
#include <math.h>

static const double UNKNOWN = 3; // what the model may err by before it is known
enum { ENOUGH = 8 };             // measurements after which its error is known

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

static double priced(const Search *s, int i) {
    double least = s->space->at[i].price;
    return least > 0 ? least : s->space->price > 0 ? s->space->price : 1;
}

// The family's, of which a few others' count as one.
static double scale_of(const Scale *all, const Scale *own) { return (mean(all) + own->sum) / (1 + own->n); }

static void run(Search *s) {
    int families = 0, n = s->space->n;
    for (int i = 0; i < n; i++)
        if (s->space->at[i].family >= families) families = s->space->at[i].family + 1;
    while (!search_over(s)) {
        Scale all = {0}, *own = NEW_N(s->a, Scale, families + 1), within = {0};
        for (int i = 0; i < n; i++)
            if (isfinite(s->value[i])) see(&all, log(s->value[i] / priced(s, i)));
        for (int i = 0; i < n; i++)
            if (isfinite(s->value[i])) see(&own[s->space->at[i].family], log(s->value[i] / priced(s, i)));
        for (int i = 0; i < n; i++)
            if (isfinite(s->value[i]))
                see(&within, log(s->value[i] / priced(s, i)) - scale_of(&all, &own[s->space->at[i].family]));
        int next = -1;
        double least = INFINITY;
        for (int i = 0; i < n; i++) {
            double expected = log(priced(s, i)) + scale_of(&all, &own[s->space->at[i].family]);
            if (isnan(s->value[i]) && expected < least) least = expected, next = i;
        }
        double error = all.n < ENOUGH ? log(UNKNOWN) : 2 * spread(&within);
        if (next < 0 || (s->best >= 0 && all.n >= ENOUGH && least - error > log(s->value[s->best]))) return;
        search_try(s, next);
    }
}

const Tactic search_model = {"model", "by the model's price, which what is measured corrects", run};
