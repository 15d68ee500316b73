// SPDX-License-Identifier: MIT
// trim.c -- conditions on a loop's own counter become its bounds.
#include "rule/examples.h"
#include "rule/find.h"
#include "rule/loops.h"

// lower <= counter < upper as bounds, whichever way the loop goes.
static void narrow(Arena *a, Node *n, Expr *lower, Expr *upper) {
    bool up = n->step > 0;
    if (upper && !up) upper = expr_sub(a, upper, expr_int(a, upper->type, 1));
    if (lower && !up) lower = expr_sub(a, lower, expr_int(a, lower->type, 1));
    Expr **most = up ? &n->hi : &n->lo, **least = up ? &n->lo : &n->hi;
    if (upper) *most = expr_op(a, OP_MIN, *most, upper, NULL);
    if (lower) *least = expr_op(a, OP_MAX, *least, lower, NULL);
}

static Nest *apply(Change *ch) {
    Arena *a = ch->a;
    Node *loop = change_loop(ch, ch->step->words[0]);
    if (!loop) return NULL;
    const char *name = loop->iter->name;
    if (loop->how != HOW_SERIAL && loop->how != HOW_VECTOR)
        return change_refuse(ch, "%s is a %s loop, whose extent must stay", name, how_name(loop->how));
    if (loop->step != 1 && loop->step != -1)
        return change_refuse(ch, "loop %s has step %lld, not 1", name, (long long)loop->step);
    Node *n = node_clone(a, loop), *body = unwrap(guard_float(a, loop->body));
    Expr *t[TERMS_MAX], *rest = NULL, *lower, *upper;
    int count = body->kind == N_IF && !body->other ? cond_terms(body->cond, t, TERMS_MAX) : 0, moved = 0;
    for (int i = 0; i < count; i++) {
        if (!cond_is_free(t[i]) || !loop_term(ch, loop, t[i], &lower, &upper)) {
            rest = cond_and(a, rest, t[i]);
            continue;
        }
        narrow(a, n, lower, upper);
        moved++;
    }
    if (!moved)
        return change_refuse(ch, "all that %s holds stands under no condition that is a bound of it", name);
    n->body = rest ? node_if(a, rest, body->then, NULL) : body->then;
    Node *root = node_replace(a, ch->nest->root, loop, n);
    return change_done(ch, simplify_at(ch->c, ch->nest, root, n));
}

static void find_trim(Finder *f) { find_loops(f, loop_holds_conditions, "trim %1"); }

// Of a triangle, from its last row on.
#define EXAMPLE_BACK                                                                               \
    "sculpt 1 region back sculpt { param n: i32 = \"n\" array a[n][n]: f32 = \"a\" live "          \
    "do { for i: i32 = n - 1 .. -1 step -1 { for j: i32 = i .. n { S0[i, j] } } } "                  \
    "stmt S0[i, j]: a[i][j] = a[i][j] + 1.0 }"

static const RuleExample trim_examples[] = {
    {EXAMPLE_PRODUCT, "strip k by=16 as=kb,kk", "trim kk", NULL},
    {EXAMPLE_PRODUCT, "tile j k i by=4", "trim ii", NULL},
    {EXAMPLE_TRIANGLE, "distribute i\ninterchange j i_1", "trim i_1", NULL},
    {EXAMPLE_PRODUCT, "", "trim k", "stands under no condition that is a bound of it"},
    {EXAMPLE_EACH, "", "trim j", "has step -2, not 1"},
    {EXAMPLE_BACK, "interchange j i", "trim i", NULL},
    {NULL, NULL, NULL, NULL},
};

const Rule trim_rule = {
    .name = "trim",
    .usage = "trim LOOP",
    .summary =
        "Makes conditions on a loop's counter, under which all of its body stands, bounds of the loop.",
    .picture = "for kk in 0 .. 16                for kk in 0 .. min(16, p - 16*kb)\n"
               "    if (16*kb + kk < p)    →         S\n"
               "        S\n",
    .apply = apply,
    .find = find_trim,
    .examples = trim_examples,
};
