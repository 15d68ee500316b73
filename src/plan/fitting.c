// SPDX-License-Identifier: MIT
// fitting.c -- strategy: rows by teams of threads, of a size that fits how long the rows are.
//
//   for i { s = 0                             block rb { thread ri { thread lane {        16 rows of 16 lanes
//     for k = row[i] .. row[i + 1]      →       acc = 0
//       s += a[k] * x[col[k]]                   for k = row[i] + lane .. row[i + 1] by 16  acc += …
//     y[i] = s }                                … the lanes' parts are combined by a tree
//
// A team longer than its rows has threads without work, a short one reads a row apart from the next. Rows
// that the data bound are as long as the call's footprints say, on average. The teams of teams.h stand in
// every program; these are made for a call.
#include "plan/strategy.h"
#include "plan/teams.h"

enum { LEAST = 2, MOST = 128, WIDER = 8 };  // from the rows' length over WIDER to twice the length

// Iterations of the longest loop that is dealt; 0: it can't be told.
static double length_of(const Site *s, const Teams *k) {
    double longest = 0, x;
    for (int i = 0; i < k->ndealt; i++)
        if (ir_eval_float(k->length[i], s->call->nvals, s->call->vals, &x) && x > longest) longest = x;
    return longest;
}

// Has every program one of that size which may run?
static bool is_there(const Site *s, const Teams *k, int by) {
    int64_t pays;
    for (size_t i = 0; i < sizeof teams_sizes / sizeof *teams_sizes; i++)
        if (teams_sizes[i] == by)
            return ir_eval(teams_pays(s->c->arena, k, by), s->call->nvals, s->call->vals, &pays) && pays;
    return false;
}

// Rows that are sums of the same elements: where they are too few to fill the device's threads.
static int of_few(const Site *s, const Teams *k, const char **out, const char **why) {
    const Machine *m = s->call->machine;
    double rows, length = length_of(s, k), room = m ? (double)(m->sms * m->max_warps_sm * m->warp) : 0;
    int n = 0;
    *why = "the rows are as many as there are threads, or too short";
    if (!ir_eval_float(k->rows, s->call->nvals, s->call->vals, &rows)) return 0;
    for (int by = LEAST; by <= MOST; by *= 2)
        if (by * WIDER <= length && by * rows <= room) out[n++] = teams_recipe(s->c->arena, k, by);
    return n;
}

static int recipes(const Site *s, const char **out, const char **why) {
    Teams k;
    int n = 0;
    *why = "no sums along rows that may be reordered";
    if (!str_eq(s->call->target, "gpu")) return 0;
    if (teams_find_few(s->c, s->region, s->dep, &k)) return of_few(s, &k, out, why);
    if (!teams_find(s->c, s->region, s->dep, &k)) return 0;
    double length = length_of(s, &k);
    *why = "how long the rows are can't be told";
    if (length <= 0) return 0;
    *why = "the rows are too short, or a whole block does one";
    for (int by = LEAST; by <= MOST; by *= 2)
        if (by * WIDER >= length && by <= 2 * length && !is_there(s, &k, by))
            out[n++] = teams_recipe(s->c->arena, &k, by);
    return n;
}

const Strategy fitting_strategy = {"teams of a size that fits the rows", recipes};
