// SPDX-License-Identifier: MIT
// strip.c -- strip mining: one loop as two.
#include "rule/loops.h"

static bool divides(Change *ch, Node *root, Node *loop, Expr *trips, int64_t by) {
    int64_t n;
    if (loop_constant(loop, &n)) return n % by == 0;
    Path p;
    Nest nest = *ch->nest;
    nest.root = root;
    if (!path_to(root, loop, &p)) return false;
    Arena *a = ch->a;
    Expr *rest = expr_op(a, OP_FMOD, trips, expr_int(a, trips->type, by), NULL);
    return holds_at(ch->c, &nest, &p, expr_op(a, OP_EQ, rest, expr_int(a, rest->type, 0), NULL));
}

Node *loop_strip(Change *ch, Node *root, Node *loop, const StripWish *w) {
    Arena *a = ch->a;
    const char *name = loop->iter->name;
    Type t = counter_type(loop);
    if (!cond_is_free(loop->lo) || !cond_is_free(loop->hi))
        return change_refuse(ch, "the bounds of %s read memory", name), NULL;
    if (loop->how == HOW_VECTOR || loop->how == HOW_COOP)
        return change_refuse(ch, "%s is a %s loop", name, how_name(loop->how)), NULL;
    Node bare = *loop;
    bare.lo = expr_cast(a, t, loop->lo);
    bare.hi = expr_cast(a, t, loop->hi);
    Expr *trips = loop_span(a, &bare), *by = expr_int(a, t, w->by);
    bool full = w->by == 1 || divides(ch, root, loop, trips, w->by);
    if (!full && (w->exact || loop->how == HOW_THREAD))
        return change_refuse(ch, "%lld does not divide the iterations of %s, %s, as far as can be shown%s", (long long)w->by,
                             name, ir_print_expr(a, trips), w->exact ? "; edge=guard takes any number" : ""), NULL;
    Expr *blocks = full ? trips : expr_add(a, trips, expr_int(a, t, w->by - 1));
    blocks = expr_op(a, OP_FDIV, blocks, by, NULL);
    Expr *at = expr_add(a, expr_mul(a, expr_sym(a, w->outer), by), expr_sym(a, w->inner));
    Expr *value = expr_cast(a, loop->iter->type, loop_value(a, &bare, at));
    Node *body = node_subst(a, loop->body, 1, &loop->iter, &value);
    Expr *in = expr_op(a, loop->step > 0 ? OP_LT : OP_GT, loop_value(a, &bare, at), bare.hi, NULL);
    // What a block asks is the same for all its threads, and best asked once.
    if (!full) body = loop->how == HOW_BLOCK ? node_if(a, in, body, NULL) : guard_sink(a, body, in);
    Node *inner = node_for(a, w->inner, expr_int(a, t, 0), by, 1, loop->how, body);
    Node *outer = node_for(a, w->outer, expr_int(a, t, 0), blocks, 1, loop->how, inner);
    inner->loc = outer->loc = loop->loc;
    return node_replace(a, root, loop, outer);
}

static Nest *apply(Change *ch) {
    if (ch->step->nwords != 1) return change_refuse(ch, "it takes one loop; usage: %s", ch->rule->usage);
    Node *loop = change_loop(ch, ch->step->words[0]);
    StripWish w = {.by = change_int(ch, "by"), .exact = str_eq(change_word(ch, "edge"), "exact")};
    const Sym *names[2];
    if (!loop || !two_counters(ch, loop, counter_type(loop), "b", "i", names)) return NULL;
    w.outer = names[0];
    w.inner = names[1];
    Node *root = loop_strip(ch, ch->nest->root, loop, &w);
    return root ? change_done(ch, root) : NULL;
}

static const Knob knobs[] = {
    {"by", "iterations of the inner loop", KNOB_INT, 1, 1 << 20, NULL, NULL},
    {"as", "names of the two loops", KNOB_NAMES, 0, 0, NULL, ""},
    {"edge", "what is done about a last strip that isn't full: conditions, or nothing because there is none",
     KNOB_WORD, 0, 0, "guard|exact", "guard"},
};

const Rule strip_rule = {
    .name = "strip",
    .usage = "strip LOOP by=N [as=OUTER,INNER] [edge=guard|exact]",
    .summary = "Cuts a loop into strips of N iterations: two loops, the inner one of constant extent.",
    .picture = "for i in 0 .. n                  for ib in 0 .. ceil(n/32)\n"
               "    S(i)               →             for ii in 0 .. 32\n"
               "                                         if (32*ib + ii < n) S(32*ib + ii)\n",
    .nknobs = 3,
    .knobs = knobs,
    .apply = apply,
};
