// SPDX-License-Identifier: MIT
// interchange.c -- loops of a band in another order.
#include "rule/examples.h"
#include "rule/find.h"
#include "rule/loops.h"

static Nest *apply(Change *ch) {
    const Step *s = ch->step;
    Node *root = loops_permute(ch, ch->nest->root, s->nwords, s->words);
    return root ? change_done(ch, root) : NULL;
}

static void find_interchange(Finder *f) { find_pairs(f, NULL, "interchange %2 %1"); }

static const RuleExample interchange_examples[] = {
    {EXAMPLE_PRODUCT, "", "interchange i j k", NULL},
    {EXAMPLE_PRODUCT, "", "interchange i j", NULL},
    {EXAMPLE_PRODUCT, "strip i by=4 as=ib,ii", "interchange ii ib", NULL},
    {EXAMPLE_TRIANGLE, "distribute i", "interchange j i_1", NULL},
    {EXAMPLE_EACH, "", "interchange j i", NULL},
    {EXAMPLE_SEIDEL, "", "interchange i t", "change the meaning"},
    {EXAMPLE_TRIANGLE, "", "interchange j i", "other statements stand between them"},
    {EXAMPLE_SUM, EXAMPLE_SUM_BLOCKS "interchange ib ii kt kk\n", "interchange ii ib",
     "block loop ib may not stand inside thread loop ii"},
    {EXAMPLE_PRODUCT, "", "interchange i", "usage: interchange LOOP LOOP…"},
    {EXAMPLE_PRODUCT, "", "interchange i i", "loop i is named twice"},
    {NULL, NULL, NULL, NULL},
};

const Rule interchange_rule = {
    .name = "interchange",
    .usage = "interchange LOOP LOOP…",
    .summary = "Puts loops that stand directly inside each other in the order given, outermost first.",
    .picture = "for j                          for i\n"
               "    for i           →              for j\n"
               "        S(j, i)                        S(j, i)\n",
    .apply = apply,
    .find = find_interchange,
    .examples = interchange_examples,
};
