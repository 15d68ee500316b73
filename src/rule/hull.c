// SPDX-License-Identifier: MIT
// hull.c -- a loop whose bounds go with counters around it runs over all that they ever are, under a
// condition.
//
//   for i { for j in 0 .. i + 1  S }   →   for i { for j in 0 .. n { if (j < i + 1) S } }
//
// The inverse of trim. Loops of a triangle become those of a rectangle, which has tiles; skip then leaves out
// the tiles beyond the triangle.
#include "rule/examples.h"
#include "rule/find.h"
#include "rule/loops.h"

// Does it go with that counter, or with any if there is none?
static bool goes_with(const Expr *x, const Node *over) {
    return over ? expr_uses_sym(x, over->iter) : expr_uses_iters(x);
}

// The bounds that go with a counter of the path, as conditions on the loop's own.
static Expr *moving(Arena *a, const Node *loop, const Node *over) {
    Expr *t[TERMS_MAX], *cond = NULL;
    int n = cond_terms(loop_bounds(a, loop), t, TERMS_MAX);
    for (int i = 0; i < n; i++)
        if (goes_with(t[i]->args[1], over)) cond = cond_and(a, cond, t[i]);
    return cond;
}

static Nest *apply(Change *ch) {
    Arena *a = ch->a;
    Path p;
    Node *loop = change_loop(ch, ch->step->words[0]), *wide = loop;
    if (!loop || !path_to(ch->nest->root, loop, &p)) return NULL;
    const char *name = loop->iter->name, *only = change_text(ch, "over");
    bool given = only && *only;
    Node *over = given ? change_loop(ch, only) : NULL;
    if (given && !over) return NULL;
    if (loop->how != HOW_SERIAL)
        return change_refuse(ch, "%s is a %s loop, whose extent must stay", name, how_name(loop->how));
    if (!cond_is_free(loop->lo) || !cond_is_free(loop->hi))
        return change_refuse(ch, "the bounds of %s read memory", name);
    Expr *cond = moving(a, loop, over);
    if (!cond) return change_refuse(ch, "the bounds of %s go with %s", name, given ? "others" : "no counter");
    for (int i = p.n - 2; i >= 0; i--) {
        const Node *out = p.node[i];
        if (out->kind != N_FOR || (over && out != over)) continue;
        if (!expr_uses_sym(wide->lo, out->iter) && !expr_uses_sym(wide->hi, out->iter)) continue;
        if (!loop_widen(ch, &wide, out)) return NULL;
    }
    wide = node_clone(a, wide);
    wide->body = guard_sink(a, loop->body, cond);
    return change_done(ch, simplify_at(ch->c, ch->nest, node_replace(a, ch->nest->root, loop, wide), wide));
}

static bool has_moving_bounds(Node *loop) {
    return loop->how == HOW_SERIAL && (expr_uses_iters(loop->lo) || expr_uses_iters(loop->hi));
}

static void find_hull(Finder *f) { find_loops(f, has_moving_bounds, "hull %1"); }

static const Knob knobs[] = {
    {"over", "the loop of whose counter the bounds become free; all of them unless given", KNOB_NAMES, 0, 0,
     NULL, ""},
};

static const RuleExample hull_examples[] = {
    {EXAMPLE_TRIANGLE, "", "hull j", NULL},
    {EXAMPLE_TRIANGLE, "distribute i", "hull j", NULL},
    {EXAMPLE_TRIANGLE, "distribute i\ninterchange j i_1\ntrim i_1", "hull i_1", NULL},
    {EXAMPLE_TRIANGLE, "hull j", "trim j", NULL},
    {EXAMPLE_TRIANGLE, "strip i by=32", "hull j over=ii", NULL},
    {EXAMPLE_TRIANGLE, "strip i by=32", "hull j over=ib", NULL},
    {EXAMPLE_TRIANGLE, "", "hull i", "go with no counter"},
    {EXAMPLE_PRODUCT, "", "hull k", "go with no counter"},
    {NULL, NULL, NULL, NULL},
};

const Rule hull_rule = {
    .name = "hull",
    .usage = "hull LOOP [over=LOOP]",
    .summary = "Lets a loop whose bounds go with counters around it run over all that they ever are, and "
               "asks inside what the bounds said.",
    .picture = "for i                        for i\n"
               "    for j in 0 .. i + 1  →       for j in 0 .. n\n"
               "        S                            if (j < i + 1) S\n",
    RULE_KNOBS(knobs),
    .apply = apply,
    .find = find_hull,
    .examples = hull_examples,
};
