// SPDX-License-Identifier: MIT
// either.c -- loops twice, so that the sizes choose between two kernels when the nest runs.
//
//   for i S      →      if (n >= 4096) { for i S } else { for i S }
//
// Both copies keep their names. Steps that look for loops outside of kernels find those of the first one
// until it is a kernel, and then those of the second.
#include "rule/examples.h"
#include "rule/find.h"
#include "rule/loops.h"

static Nest *apply(Change *ch) {
    if (ch->step->nwords != 1) return change_refuse(ch, "it takes one loop; usage: %s", ch->rule->usage);
    Node *loop = loop_outside(ch, ch->step->words[0]);
    Path place;
    if (!loop || !path_to(ch->nest->root, loop, &place)) return NULL;
    if (node_kernels(loop)) return change_refuse(ch, "%s holds kernels already", loop->iter->name);
    Nest facts = *ch->nest;
    Expr *when = change_value(ch, &facts, &place, T_I32, change_text(ch, "when"));
    if (!when) return NULL;
    if (expr_has_load(when)) return change_refuse(ch, "the host can't ask that");
    Nest *n = change_done(ch, node_replace(ch->a, ch->nest->root, loop, node_if(ch->a, when, loop, loop)));
    n->nfacts = facts.nfacts;
    n->facts = facts.facts;
    return n;
}

static const Knob knobs[] = {
    {"when", "where the first copy runs: over parameters, counters of host loops and facts", KNOB_TEXT, 0, 0,
     NULL, NULL},
};

static bool is_free(Node *loop) { return loop->how == HOW_SERIAL && !node_kernels(loop); }
static void find_either(Change *ch, Found *found, void *arg) {
    find_loops(ch, found, arg, is_free, "either %1 when=processors>=64");
}

static const RuleExample examples[] = {
    {EXAMPLE_SUM, "", "either k when=n>=4", NULL},
    {EXAMPLE_PRODUCT, "either j when=i64(n)>=2*processors\ngrid i j threads=8,8 per=2,2\n",
     "either j when=n>=4", NULL},
    {EXAMPLE_SUM, "map block i\n", "either k when=n>=4", "holds kernels already"},
    {EXAMPLE_SUM, "", "either k when=a[0]>=4.0", "the host can't ask that"},
    {0},
};

const Rule either_rule = {
    .name = "either",
    .usage = "either LOOP when=EXPR",
    .summary = "Two copies of a nest of loops, for two kernels of which the sizes choose when the nest runs.",
    .picture = "for i  S   →   if (n >= 4096)  for i  S\n"
               "               else            for i  S\n",
    .nknobs = 1,
    .knobs = knobs,
    .apply = apply,
    .find = find_either,
    .examples = examples,
};
