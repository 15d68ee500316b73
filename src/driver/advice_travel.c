// SPDX-License-Identifier: MIT
// advice_travel.c -- from host to host: the data one after the other with the kernels, or in slices beside
// them.
#include "driver/explain.h"

// The nest's cost for data that travel, in seconds; < 0: it has none, or does not run so.
static double cost_of(const Nest *n, const Advised *v, const Machine *m, bool pinned) {
    InterpVal vals[v->nvals + n->nfacts + 1];
    int nvals = v->nvals;
    double us;
    int64_t runs = 1;
    for (int k = 0; k < nvals; k++) vals[k] = v->vals[k];
    for (int k = 0; k < n->nfacts; k++) {
        FactKind kind = n->facts[k].kind;
        int64_t value = kind == FACT_TRAVELS ? 1
                        : kind == FACT_LINK  ? (int64_t)(1e3 * machine_link(m, pinned))
                                             : model_fact(m, kind);
        vals[nvals++] = (InterpVal){.sym = n->facts[k].sym, .i = value};
    }
    if (n->when && (!ir_eval(n->when, nvals, vals, &runs) || !runs)) return -1;
    return n->cost && ir_eval_float(n->cost, nvals, vals, &us) ? 1e-6 * us : -1;
}

void advice_travel(Compile *c, const Advice *d, Subject *s) {
    static const char *const heads[] = {"arrays", "copies, kernels, copies", "beside each other",
        "what is done"};
    const Advised *v = s->now;
    if (!v || !v->nest || str_eq(d->m->kind, "cpu") || !str_eq(v->nest->target, "gpu")) return;
    const char *why = NULL;
    Nest mine = *v->nest, *chain[2] = {&mine};
    bool shaped = mine.cost != NULL;
    int n = plan_travel(c, NULL, shaped ? NULL : &mine, shaped, chain, 2, &why);
    FactTable *t = facts_table(c->arena, s, "host to host, where data travel", 4, heads);
    if (n == shaped) {
        t->none = arena_printf(c->arena, "one after the other: %s", why);
        return;
    }
    if (d->m->locking > 0) {
        double locked = 1 / d->m->locking + 1 / machine_link(d->m, true),
               ring = 1 / machine_link(d->m, false);
        facts_row(c->arena, t, "place", arena_printf(c->arena, "locked for the call, %.3g GB/s", 1 / locked),
                  arena_printf(c->arena, "as malloc gave them, %.3g GB/s", 1 / ring),
                  locked < ring ? "malloc'ed arrays are locked" : "they are not locked");
    }
    for (int pinned = 1; pinned >= 0; pinned--) {
        double serial = cost_of(&mine, v, d->m, pinned), sliced = cost_of(chain[n - 1], v, d->m, pinned);
        facts_row(c->arena, t, pinned ? "pinned" : "malloc'ed",
                  arena_printf(c->arena, "%s one after the other", figure_seconds(c->arena, serial)),
                  sliced < 0
                      ? "-"
                      : arena_printf(c->arena, "%s in slices (overlap)", figure_seconds(c->arena, sliced)),
                  sliced < 0        ? "too small for slices"
                  : sliced < serial ? "the slices are chosen"
                                    : "no slices are made");
    }
}
