// SPDX-License-Identifier: MIT
// choose.c -- the nest for a call: of all that are planned the one that is expected to be quickest, judged.
#include "plan/choose.h"
#include "plan/auto.h"
#include <string.h>

bool plan_may_run(Compile *c, Nest *n, const PlanCall *k) { return k->pick(c, 1, &n, k->arg) == 0; }

int plan_chain(Compile *c, const Region *r, const DepInfo *d, const PlanCall *k, Nest *standard, Nest **out,
        int max) {
    int n = k->alone ? 0 : plan_variants_for(c, r, d, k, standard, out, max);
    if (max < 2 || !str_eq(k->target, "gpu")) return n;
    n = plan_travel(c, k, standard, n, out, max, NULL);
    Nest *wide = n < max ? plan_wide(c, standard) : NULL;
    if (wide) out[n++] = wide;
    return n;
}

static bool is_one_of(Arena *a, const Nest *x, int n, Nest *const *have) {
    const char *text = ir_print_node(a, x->root, 0);
    for (int i = 0; i < n; i++)
        if (str_eq(x->target, have[i]->target) && str_eq(text, ir_print_node(a, have[i]->root,
                0))) return true;
    return false;
}

bool plan_is_trusted(Compile *c, Nest *x, const Nest *standard) {
    if (!plan_judge(c, x)) return false;
    bool vouched = standard->reason && x->reason == standard->reason;
    return x == standard || x->proof == PROOF_PROVED || vouched || plan_parts_hold(c, x);
}

enum { MOST_UNDECIDED = 2 }; // what keeps the judge from deciding is mostly the same for all

const Nest *plan_settle(Compile *c, const PlanCall *k, int n, Nest **chain, Nest *standard, int nhave,
                        Nest *const *have) {
    int at, undecided = 0;
    while ((at = k->pick(c, n, chain, k->arg)) >= 0) {
        Nest *x = chain[at];
        if (is_one_of(c->arena, x, nhave, have)) return NULL;
        if (plan_is_trusted(c, x, standard) && plan_may_run(c, x, k)) return x;
        undecided += x->proof != PROOF_PROVED;
        if (k->unsure && x->proof == PROOF_BELIEVED) *k->unsure = true;
        memmove(&chain[at], &chain[at + 1], sizeof *chain * (size_t)(--n - at));
        if (undecided == MOST_UNDECIDED && n) chain[0] = standard, n = 1;
    }
    return NULL;
}

const Nest *plan_best(Compile *c, const Region *r, const PlanCall *k, int nhave, Nest *const *have) {
    Nest *chain[PLAN_VARIANTS + 1];
    const DepInfo *d = dep_analyze(c, r);
    PlanOptions *o = NEW_AS(c->arena, PlanOptions, (PlanOptions){k->target, .asserted = true});
    Nest *standard = plan_default(c, r, d, o);
    if (!standard) return NULL;
    int n = plan_chain(c, r, d, k, standard, chain, PLAN_VARIANTS);
    chain[n++] = standard;
    return plan_settle(c, k, n, chain, standard, nhave, have);
}
