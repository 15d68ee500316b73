// SPDX-License-Identifier: MIT
// interchange.c -- loops of a band in another order.
#include "rule/loops.h"

static Nest *apply(Change *ch) {
    const Step *s = ch->step;
    if (s->nwords < 2) return change_refuse(ch, "it takes two loops or more, in their new order; usage: %s", ch->rule->usage);
    Node *root = loops_permute(ch, ch->nest->root, s->nwords, s->words);
    return root ? change_done(ch, root) : NULL;
}

const Rule interchange_rule = {
    .name = "interchange",
    .usage = "interchange LOOP LOOP…",
    .summary = "Puts loops that stand directly inside each other in the order given, outermost first.",
    .picture = "for j                          for i\n"
               "    for i           →              for j\n"
               "        S(j, i)                        S(j, i)\n",
    .apply = apply,
};
