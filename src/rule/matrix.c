// SPDX-License-Identifier: MIT
// matrix.c -- a loop over the terms of a tile of sums is done by matrix instructions.
//
// The tree stays: the loop names the instruction, and printers for machines that have it print instructions
// in its place, all others the loops (ir/matrix.c). An instruction that is known to add up the terms in their
// order, each product rounded together with its addition, does what the loops do; of others, permission is
// asked.
#include "rule/examples.h"
#include "rule/find.h"
#include "rule/loops.h"

static Nest *apply_matrix(Change *ch) {
    Node *loop = change_loop(ch, ch->step->words[0]);
    if (!loop) return NULL;
    const char *name = loop->iter->name;
    if (loop->how != HOW_SERIAL && loop->how != HOW_UNROLL)
        return change_refuse(ch, "%s is a %s loop", name, how_name(loop->how));
    Node *n = node_clone(ch->a, loop);
    n->matrix = matrix_named(change_word(ch, "by"));
    Node *root = node_replace(ch->a, ch->nest->root, loop, n);
    const char *why = matrix_misfit(ch->a, ch->nest->region->reassociate, root, n);
    return why ? change_refuse(ch, "%s is no product of %s: %s", name, n->matrix->name, why)
               : change_done(ch, root);
}

static const Knob matrix_knobs[] = {
    {"by", "the instruction: rows, columns and terms that it takes at once", KNOB_WORD, 0, 0,
     "m8n8k4|m16n8k4|m16n8k8|m16n8k16", "m16n8k8"},
};

static void find_matrix(Finder *f) { find_loops(f, NULL, "matrix %1"); }

#define TILE                                                                                       \
    "strip j by=16 as=xb,x1\nstrip x1 by=8 as=xh,x2 edge=exact\nstrip x2 by=2 as=xl,xv edge=exact\n" \
    "strip i by=16 as=yb,y1\nstrip y1 by=8 as=yh,yl edge=exact\nstrip k by=8 as=kt,kk\n"           \
    "interchange yb xb kt yl xl kk yh xh xv\nmap block yb xb\nmap thread yl xl\nhoist c at=kt as=acc\n" \
    "stage a at=kt as=a_s pad=4\nstage b at=kt as=b_s pad=4\nedge compute\nsplit kt at=full\n"

static const RuleExample matrix_examples[] = {
    {EXAMPLE_PRODUCT_DOUBLE, TILE, "matrix kk", NULL},
    {EXAMPLE_PRODUCT_DOUBLE, TILE, "matrix kk by=m8n8k4", NULL},
    {EXAMPLE_PRODUCT_DOUBLE, TILE, "matrix kk by=m16n8k16", "no multiple"},
    {EXAMPLE_PRODUCT_DOUBLE, TILE, "matrix kk_1", "more than sums"},
    {EXAMPLE_PRODUCT_DOUBLE, "", "matrix k", "8 and 4 long"},
    {NULL, NULL, NULL, NULL},
};

const Rule matrix_rule = {
    .name = "matrix",
    .usage = "matrix LOOP [by=INSTRUCTION]",
    .summary = "Lets matrix instructions do a loop over the terms of a tile of sums, where the machine has "
               "them: the last two thread loops, 8 and 4 long, are the lanes of a warp, and their rows and "
               "columns those of the instruction. One that is not known to keep the order of terms needs the "
               "permission to reassociate.",
    .picture = "for kk in 0 .. 16                        for kk in 0 .. 16 matrix m16n8k8\n"
               "  for yh, xh, xv                  →        for yh, xh, xv\n"
               "    acc += a[8yh+yl][kk]*b[kk][8xh+2xl+xv]     acc += …   (two mma, 8 terms each)\n",
    RULE_KNOBS(matrix_knobs),
    .apply = apply_matrix,
    .find = find_matrix,
    .examples = matrix_examples,
};
