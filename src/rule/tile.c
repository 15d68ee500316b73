// SPDX-License-Identifier: MIT
// tile.c -- strips of several loops of a band, the strips' loops outside.
#include "rule/examples.h"
#include "rule/find.h"
#include "rule/loops.h"

enum { MAX_LOOPS = 8 };

static Nest *apply(Change *ch) {
    const Step *s = ch->step;
    int64_t by[MAX_LOOPS + 1];
    const char *as[2 * MAX_LOOPS + 1], *order[2 * MAX_LOOPS];
    const Sym *inner[MAX_LOOPS];
    int n = s->nwords, nby = change_ints(ch, "by", by, MAX_LOOPS + 1),
        nas = change_names(ch, "as", as, 2 * MAX_LOOPS + 1);
    if (n > MAX_LOOPS)
        return change_refuse(ch, "it takes 1 to %d loops; usage: %s", MAX_LOOPS, ch->rule->usage);
    if (nby != 1 && nby != n) return change_refuse(ch, "by= has %d numbers for %d loops", nby, n);
    if (nas && nas != 2 * n) return change_refuse(ch, "as= takes %d names, the outer loops' first", 2 * n);
    Node *root = ch->nest->root;
    bool exact = str_eq(change_word(ch, "edge"), "exact");
    for (int k = 0; k < n; k++) {
        if (!change_loop(ch, s->words[k])) return NULL;
        Node *loop = loop_named(root, s->words[k]);
        if (!loop) return change_refuse(ch, "loop %s is named twice", s->words[k]);
        const char *o = nas ? as[k] : arena_printf(ch->a, "%sb", s->words[k]);
        const char *i = nas ? as[n + k] : arena_printf(ch->a, "%si", s->words[k]);
        Type t = counter_type(loop);
        StripWish w = {.by = by[nby == 1 ? 0 : k], .exact = exact};
        w.outer = counter_named(ch, o, t, loop, nas);
        // The loops over tiles go around all of those inside, where a tile may not begin elsewhere.
        for (int j = 0; j < k; j++) w.aligned = w.aligned || expr_uses_sym(loop->lo, inner[j]);
        w.inner = w.outer ? counter_named(ch, i, t, loop, nas) : NULL;
        if (!w.inner || !(root = loop_strip(ch, root, loop, &w))) return NULL;
        order[k] = w.outer->name;
        order[n + k] = w.inner->name;
        inner[k] = w.inner;
    }
    root = loops_permute(ch, root, 2 * n, order);
    return root ? change_done(ch, root) : NULL;
}

static const Knob knobs[] = {
    {"by", "iterations of a tile, one number for all loops or one each", KNOB_INTS, 1, 1 << 20, NULL, NULL},
    {"as", "names of the loops over tiles, then of those inside, in the order of the loops", KNOB_NAMES, 0, 0,
     NULL, ""},
    {"edge", "what is done about a last tile that isn't full", KNOB_WORD, 0, 0, "guard|exact", "guard"},
};

static void find_tile(Finder *f) { find_pairs(f, loop_is_serial, "tile %1 %2 by=16"); }

static const RuleExample tile_examples[] = {
    {EXAMPLE_PRODUCT, "", "tile j k i by=8,4,16", NULL},
    {EXAMPLE_PRODUCT, "", "tile i j by=4 as=ib,jb,ii,ji", NULL},
    {EXAMPLE_EACH, "", "tile i j by=2,3", NULL},
    {EXAMPLE_SEIDEL, "", "tile t i by=4", "change the meaning"},
    {EXAMPLE_SEIDEL, "skew i with=t", "tile t i by=3", NULL},
    {EXAMPLE_PRODUCT, "", "tile i j by=1,2,3", "by= has 3 numbers for 2 loops"},
    {EXAMPLE_TRIANGLE, "", "tile i j by=4", "other statements stand between them"},
    {NULL, NULL, NULL, NULL},
};

const Rule tile_rule = {
    .name = "tile",
    .usage = "tile LOOP… by=N,… [as=OUTER,…,INNER,…] [edge=guard|exact]",
    .summary = "Cuts loops of a band into strips and puts the loops over strips outside: tiles.",
    .picture = "for i                            for ib\n"
               "    for j              →             for jb\n"
               "        S(i, j)                          for ii in 0 .. 16\n"
               "                                             for ji in 0 .. 16\n"
               "                                                 S(16*ib + ii, 16*jb + ji)\n",
    RULE_KNOBS(knobs),
    .apply = apply,
    .find = find_tile,
    .examples = tile_examples,
};
