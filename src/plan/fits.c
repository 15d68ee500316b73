// SPDX-License-Identifier: MIT
// fits.c -- why a template has no nest for a region, as far as the region's structure says.
#include "plan/contract.h"
#include "rule/rule.h"
#include "plan/rows.h"
#include "plan/strategy.h"
#include "plan/teams.h"

// What stands in the way of most templates.
typedef struct Sight {
    int sums, deepest;
    bool branches;          // conditions
} Sight;

static const char *no_product(const Region *r, const Sight *s) {
    return !s->sums         ? "nothing is added up"
           : s->deepest < 3 ? "fewer than three loops stand inside each other"
           : r->ninspects   ? "only the data say how far its subscripts or loops go"
           : s->branches    ? "a condition stands in its loops that is no bound of one of them"
           : r->nstmts > 1
               ? "its statements are not one sum with what goes before and behind it"
               : "its operands do not each name two of three loops, each in a subscript of its own";
}

static const char *no_teams(const Region *r, const Sight *s) {
    return !s->sums ? "nothing is added up"
           : !r->reassociate
               ? "sums may not be reordered (--permit reassociate)"
               : "no loop of a row walks along memory, or some arrays are better read a thread a row";
}

static const char *no_rows(const Sight *s) {
    return !s->sums ? "nothing is added up" : "it is no sum along rows of arrays that are read as they lie";
}

static const PlanCall any = {.target = "gpu"};

int plan_fits(Compile *c, const Region *r, const DepInfo *d, PlanFit out[PLAN_FITS]) {
    Contraction product;
    Teams teams;
    Rows rows;
    Sight s = {0};
    const char *unknown = plan_why_not(d);
    const Nest *start = unknown ? NULL : plan_start(c, r, d, "gpu");
    bool is_product =
        start && (contraction_find(c, r, d, &product) || contraction_find_sum(c, r, d, start, &product));
    node_each(n, r->root) {
        s.branches |= n->kind == N_IF;
        if (n->kind != N_STMT) continue;
        s.sums += n->stmt->op != OP_SET;
        s.deepest = n->stmt->depth > s.deepest ? n->stmt->depth : s.deepest;
    }
    out[0] = (PlanFit){"tiled product", unknown ? unknown : is_product ? NULL : no_product(r, &s)};
    out[1] = (PlanFit){"teams of threads for rows", unknown                         ? unknown
                                                    : is_product                     ? "it is a product"
                                                    : teams_find(c, r, d, &teams) ? NULL
                                                                                     : no_teams(r, &s)};
    out[2] = (PlanFit){"rows by way of shared memory", unknown                            ? unknown
                                                       : is_product                       ? "it is a product"
                                                       : rows_find(c->arena, r, d, &rows) ? NULL
                                                                                          : no_rows(&s)};
    int n = 3;
    const Site site = {c, r, d, start, &any};
    for (int i = 0; i < STRATEGIES; i++) {
        const char *recipe[SITE_RECIPES], *why = unknown;
        bool fits = start && strategies[i]->recipes(&site, recipe, &why) > 0;
        out[n++] = (PlanFit){strategies[i]->name, fits ? NULL : why};
    }
    return n;
}
