// SPDX-License-Identifier: MIT
// pays.c -- where a nest runs at all, and what it is expected to take there.
//
//   pays when=n>=64 cost=4.0+f64(n)/f64(copy_rate)
//
// Nothing of the tree changes: it is taste, never truth. Of the nests of a region that may run the one of
// least cost does. Expressions are those of a nest's text, without blanks; facts of the machine and of the
// call go by their words (processors, travels, link, copy_rate, fma_rate).
#include "rule/examples.h"
#include "rule/find.h"
#include "rule/loops.h"

static Nest *apply(Change *ch) {
    const char *when = change_text(ch, "when"), *cost = change_text(ch, "cost");
    if (!when && !cost) return change_refuse(ch, "nothing is said: when= or cost=");
    Nest *n = change_done(ch, ch->nest->root);
    Expr *x = when ? change_value(ch, n, NULL, T_I32, when) : NULL,
         *y = cost ? change_value(ch, n, NULL, T_F64, cost) : NULL;
    if ((when && !x) || (cost && !y)) return NULL;
    if (x) n->when = cond_and(ch->a, n->when, x);
    if (y) n->cost = y;
    return n;
}

static const Knob knobs[] = {
    {"when", "a condition over parameters and facts, without which the nest does not run", KNOB_TEXT, 0, 0,
     NULL, ""},
    {"cost", "microseconds that it is expected to take, of the type f64", KNOB_TEXT, 0, 0, NULL, ""},
};

static void find_pays(Finder *f) {
    const Region *r = f->ch->nest->region;
    for (int i = 0; i < r->nparams; i++)
        if (type_is_int(r->params[i]->type)) finder_site(f, "pays when=%s>=64", r->params[i]->name);
}

static const RuleExample examples[] = {
    {EXAMPLE_SUM, "map block i", "pays when=n>=4", NULL},
    {EXAMPLE_SUM, "map block i", "pays when=i64(n)>=2*processors cost=4.0+f64(n)*f64(p)/f64(copy_rate)",
     NULL},
    {EXAMPLE_SUM, "", "pays", "nothing is said"},
    {EXAMPLE_SUM, "", "pays when=q>=4", "in 'q>=4'"},
    {0},
};

const Rule pays_rule = {
    .name = "pays",
    .usage = "pays [when=EXPR] [cost=EXPR]",
    .summary = "Says for which sizes a nest is meant, and what it is expected to take; the cheapest of a "
               "region's nests that may run does.",
    .picture = "when 1   →   when n >= 64\n",
    RULE_KNOBS(knobs),
    .apply = apply,
    .find = find_pays,
    .examples = examples,
};
