// SPDX-License-Identifier: MIT
// raster.c -- the order in which blocks start, so that those running together share their operands.
//
//   a grid of 4 × 6 blocks, group=2; the number says when a block starts:
//        0  2  4  6  8 10        Six blocks at a time need 2 strips of rows and 3 of columns;
//        1  3  5  7  9 11        row after row they would need 1 and 6.
//       12 14 16 18 20 22
//       13 15 17 19 21 23
#include "rule/examples.h"
#include "rule/find.h"
#include "rule/loops.h"

static Nest *apply(Change *ch) {
    const Step *s = ch->step;
    Node *rows = change_loop(ch, s->words[0]), *columns = rows ? change_loop(ch, s->words[1]) : NULL;
    if (!columns) return NULL;
    if (rows->how != HOW_BLOCK || columns->how != HOW_BLOCK)
        return change_refuse(ch, "both loops must be block loops");
    const Sym *names[2];
    if (!two_counters(ch, rows, counter_type(rows), "g", "r", names)) return NULL;
    const char *down[2] = {s->words[1], s->words[0]}, *out[2] = {names[0]->name, s->words[1]};
    Node *root = loops_permute(ch, ch->nest->root, 2, down);
    StripWish w = {change_int(ch, "group"), names[0], names[1], false};
    if (root) root = loop_strip(ch, root, loop_named(root, s->words[0]), &w);
    if (root) root = loops_permute(ch, root, 2, out);
    return root ? change_done(ch, root) : NULL;
}

static const Knob knobs[] = {
    {"group", "rows of blocks that are worked on together", KNOB_INT, 1, 1024, NULL, NULL},
    {"as", "names of the loop over groups and of the one over the rows of a group", KNOB_NAMES, 0, 0, NULL,
     ""},
};

static void find_raster(Finder *f) { find_pairs(f, loop_is_block, "raster %1 %2 group=8"); }

static const RuleExample raster_examples[] = {
    {EXAMPLE_PRODUCT, "tile i j by=4 as=ib,jb,ii,ji\nmap block jb ib", "raster jb ib group=2", NULL},
    {EXAMPLE_PRODUCT, "", "raster j i group=2", "both loops must be block loops"},
    {NULL, NULL, NULL, NULL},
};

const Rule raster_rule = {
    .name = "raster",
    .usage = "raster ROWS COLUMNS group=N [as=GROUPS,ROW]",
    .summary =
        "Orders blocks for the second-level cache: N rows of the grid go through its columns together.",
    .picture = "for jb block                     for jg block\n"
               "    for ib block       →             for ib block\n"
               "        …                                for jr in 0 .. 8 block\n"
               "                                             if (8*jg + jr < rows) …\n",
    RULE_KNOBS(knobs),
    .apply = apply,
    .find = find_raster,
    .examples = raster_examples,
};
