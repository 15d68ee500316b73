// SPDX-License-Identifier: MIT
// resident.c -- strategy: rows that several loops go through are read once, and stay in registers.
//
//   for i { m = …                             block i { register row[256][8]
//     for j  m = max(m, x[i][j])                thread t  for r in 0 .. 8  row[t][r] = x[i][256 * r + t]
//     for k  s += exp(x[i][k] - m)      →       thread t  for r in 0 .. 8  m = max(m, row[t][r])
//     for l  y[i][l] = x[i][l] / s }            … s …  thread t  for r  y[i][256 * r + t] = row[t][r] / s }
//
// Teams as in teams.h, with a thread's iterations written out: in all loops of a row the same ones, so that
// what a thread reads again, or has written, is its own. That many are known for a call; the nest runs for
// rows up to that length.
#include "plan/strategy.h"
#include "plan/teams.h"
#include "rule/catalogue.h"

enum {
    LEAST = 8, MOST = 1024, // threads a team
    REGISTERS = 32,         // that a thread keeps of rows, of all arrays; twice that in the largest teams,
    ROUNDS = 16,            // and of one array, likewise
};

// From where the first loop of a row begins to where the last one ends; -1: it can't be told.
static int64_t length_of(const Site *s, const Teams *k) {
    int64_t least = INT64_MAX, most = INT64_MIN;
    for (int i = 0; i < k->ndealt; i++) {
        const Node *n = k->dealt[i];
        int64_t lo, hi;
        if (n->step != 1 || expr_uses_iters(n->lo) || expr_uses_iters(n->hi) ||
            !ir_eval(n->lo, s->call->nvals, s->call->vals, &lo) ||
            !ir_eval(n->hi, s->call->nvals, s->call->vals, &hi))
            return -1;
        least = lo < least ? lo : least;
        most = hi > most ? hi : most;
    }
    int64_t length;
    return __builtin_sub_overflow(most, least, &length) ? -1 : length;
}

static int recipes(const Site *s, const char **out, const char **why) {
    Teams k;
    int n = 0;
    *why = "no sums along rows that may be reordered";
    if (!str_eq(s->call->target, "gpu") || !teams_find(s->c, s->region, s->dep, &k)) return 0;
    int held = teams_held(&k);
    *why = "no array of which several loops touch a row";
    if (!held) return 0;
    int64_t length = length_of(s, &k);
    *why = "how long the rows are can't be told";
    if (length < 1) return 0;
    *why = "the rows are too long for registers";
    for (int by = LEAST; by <= MOST && n < SITE_RECIPES; by *= 2) {
        int64_t rounds = (length + by - 1) / by, times = by == MOST ? 2 : 1;
        if (rounds <= times * ROUNDS && rounds * held <= times * REGISTERS && (rounds > 1 || by == LEAST))
            out[n++] = teams_resident(s->c->arena, &k, by, (int)rounds, 1);
    }
    return n;
}

const Strategy resident_strategy = {"rows in registers, read once", recipes};
