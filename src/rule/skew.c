// SPDX-License-Identifier: MIT
// skew.c -- skew, reverse, collapse: other counters over the same iterations.
#include "rule/examples.h"
#include "rule/find.h"
#include "rule/linear.h"
#include "rule/loops.h"

// The loop, its body seeing `value`, which may name the counter itself, in the place of the counter.
static Node *recount(Change *ch, Node *loop, Expr *value) {
    Node *n = node_clone(ch->a, loop);
    n->body = node_subst(ch->a, loop->body, 1, &loop->iter, &value);
    return n;
}

static bool is_plain(Change *ch, const Node *loop) {
    if (!cond_is_free(loop->lo) || !cond_is_free(loop->hi))
        return change_refuse(ch, "the bounds of %s read memory", loop->iter->name);
    if (loop->how == HOW_SERIAL || loop->how == HOW_UNROLL) return true;
    return change_refuse(ch, "%s is a %s loop", loop->iter->name, how_name(loop->how));
}

// ---- skew ----------------------------------------------------------------------------------------
static Nest *apply_skew(Change *ch) {
    Arena *a = ch->a;
    Node *loop = change_loop(ch, ch->step->words[0]),
         *with = loop ? change_loop(ch, change_text(ch, "with")) : NULL;
    Path p;
    if (!with || !is_plain(ch, loop)) return NULL;
    if (with == loop || !path_to(with, loop, &p))
        return change_refuse(ch, "loop %s is not inside %s", loop->iter->name, with->iter->name);
    if (!type_is_signed(loop->iter->type)) return change_refuse(ch, "%s is unsigned", loop->iter->name);
    Type t = loop->lo->type;
    Expr *shift = expr_mul(a, expr_cast(a, t, expr_sym(a, with->iter)), expr_int(a, t, change_int(ch, "by")));
    Node *n = recount(ch, loop, expr_sub(a, expr_sym(a, loop->iter), shift));
    n->lo = expr_add(a, loop->lo, shift);
    n->hi = expr_add(a, loop->hi, shift);
    return change_done(ch, node_replace(a, ch->nest->root, loop, n));
}

static const Knob skew_knobs[] = {
    {"with", "the loop around it whose counter is added", KNOB_NAMES, 0, 0, NULL, NULL},
    {"by", "how often it is added", KNOB_INT, -64, 64, NULL, "1"},
};

static void find_skew(Finder *f) { find_pairs(f, loop_is_serial, "skew %2 with=%1"); }

static const RuleExample skew_examples[] = {
    {EXAMPLE_SEIDEL, "", "skew i with=t", NULL},
    {EXAMPLE_SEIDEL, "", "skew i with=t by=-2", NULL},
    {EXAMPLE_SEIDEL, "", "skew t with=i", "is not inside"},
    {NULL, NULL, NULL, NULL},
};

const Rule skew_rule = {
    .name = "skew",
    .usage = "skew LOOP with=OUTER [by=N]",
    .summary = "Adds a multiple of an outer counter to a loop's, so that dependences point forward in both.",
    .picture = "for t                            for t\n"
               "    for i in 0 .. n    →             for i in t .. n + t\n"
               "        S(t, i)                          S(t, i - t)\n",
    RULE_KNOBS(skew_knobs),
    .apply = apply_skew,
    .find = find_skew,
    .examples = skew_examples,
};

// ---- reverse --------------------------------------------------------------------------------------
// lo … hi - 1 run as about - hi + 1 … about - lo.
static Nest *mirrored(Change *ch, Node *loop) {
    Arena *a = ch->a;
    Type t = loop->lo->type;
    Path p;
    if (!path_to(ch->nest->root, loop, &p)) return NULL;
    if (loop->step != 1)
        return change_refuse(ch, "%s does not count up one by one", loop->iter->name);
    Expr *about = change_expr(ch, &p, t, change_text(ch, "about")), *one = expr_int(a, t, 1);
    if (!about) return NULL;
    Expr *value = expr_sub(a, about, expr_cast(a, t, expr_sym(a, loop->iter)));
    Node *n = recount(ch, loop, expr_cast(a, loop->iter->type, value));
    n->lo = linear_tidy(a, expr_add(a, expr_sub(a, about, loop->hi), one));
    n->hi = linear_tidy(a, expr_add(a, expr_sub(a, about, loop->lo), one));
    return change_done(ch, node_replace(a, ch->nest->root, loop, n));
}

static Nest *apply_reverse(Change *ch) {
    Arena *a = ch->a;
    Node *loop = change_loop(ch, ch->step->words[0]);
    if (!loop || !is_plain(ch, loop)) return NULL;
    if (change_text(ch, "about")) return mirrored(ch, loop);
    Type t = loop->lo->type;
    // lo … last run as last … lo: i becomes lo + last - i.
    Expr *trips = loop_span(a, loop), *last = expr_sub(a, trips, expr_int(a, t, 1));
    last = expr_add(a, loop->lo, expr_mul(a, last, expr_int(a, t, loop->step)));
    Expr *value = expr_sub(a, expr_add(a, loop->lo, last), expr_sym(a, loop->iter));
    return change_done(ch, node_replace(a, ch->nest->root, loop,
                                        recount(ch, loop, expr_cast(a, loop->iter->type, value))));
}

static const Knob reverse_knobs[] = {
    {"about", "of what the new counter and the old one are the sum; else the bounds stay", KNOB_TEXT, 0, 0,
     NULL, ""},
};

static void find_reverse(Finder *f) { find_loops(f, loop_is_serial, "reverse %1"); }

static const RuleExample reverse_examples[] = {
    {EXAMPLE_PRODUCT, "", "reverse j", NULL},
    {EXAMPLE_EACH, "", "reverse j", NULL},
    {EXAMPLE_EACH, "", "reverse i", NULL},
    {EXAMPLE_SEIDEL, "", "reverse i", "change the meaning"},
    {EXAMPLE_TRIANGLE, "", "reverse j about=2*i", NULL},
    {EXAMPLE_EACH, "", "reverse j about=m", "does not count up one by one"},
    {NULL, NULL, NULL, NULL},
};

const Rule reverse_rule = {
    .name = "reverse",
    .usage = "reverse LOOP [about=EXPR]",
    .summary = "Runs a loop's iterations in the opposite order.",
    .picture = "for i in 0 .. n  S(i)  →         for i in 0 .. n  S(n - 1 - i)\n",
    RULE_KNOBS(reverse_knobs),
    .apply = apply_reverse,
    .find = find_reverse,
    .examples = reverse_examples,
};

// ---- collapse ---------------------------------------------------------------------------------------
static Nest *apply_collapse(Change *ch) {
    Arena *a = ch->a;
    const Step *s = ch->step;
    Node *outer = change_loop(ch, s->words[0]), *inner = outer ? change_loop(ch, s->words[1]) : NULL;
    if (!inner) return NULL;
    if (unwrap(outer->body) != inner)
        return change_refuse(ch, "loop %s does not stand directly inside %s", s->words[1], s->words[0]);
    if (outer->how != inner->how) return change_refuse(ch, "the loops run in different ways");
    int64_t n, m;
    if (!loop_constant(inner, &n) || n < 1)
        return change_refuse(ch, "%s has no constant number of iterations, and a symbolic one is not affine",
                             s->words[1]);
    if (expr_uses_sym(inner->lo, outer->iter))
        return change_refuse(ch, "the bounds of %s depend on %s", s->words[1], s->words[0]);
    if (!cond_is_free(outer->lo) || !cond_is_free(outer->hi) || !cond_is_free(inner->lo))
        return change_refuse(ch, "the bounds of a loop read memory");
    const char *as;
    Type t = counter_type(outer);
    bool named = change_names(ch, "as", &as, 1) == 1;
    const Sym *fresh = counter_named(ch, named ? as : outer->iter->name, t, outer, named);
    if (!fresh) return NULL;
    Expr *c = expr_sym(a, fresh), *by = expr_int(a, t, n);
    const Sym *from[2] = {outer->iter, inner->iter};
    Expr *to[2] = {loop_value(a, outer, expr_op(a, OP_FDIV, c, by, NULL)),
        loop_value(a, inner, expr_op(a, OP_FMOD, c, by, NULL))};
    Node bare = *outer;
    bare.lo = expr_cast(a, t, outer->lo);
    bare.hi = expr_cast(a, t, outer->hi);
    Expr *trips = loop_constant(outer, &m) ? expr_int(a, t, m) : loop_span(a, &bare);
    Node *loop = node_for(a, fresh, expr_int(a, t, 0), expr_mul(a, trips, by), 1, outer->how,
                          node_subst(a, inner->body, 2, from, to));
    loop->loc = outer->loc;
    return change_done(ch, node_replace(a, ch->nest->root, outer, loop));
}

static const Knob collapse_knobs[] = {
    {"as", "name of the loop; the outer one's when it isn't given", KNOB_NAMES, 0, 0, NULL, ""},
};

static void find_collapse(Finder *f) { find_pairs(f, loop_is_serial, "collapse %1 %2"); }

static const RuleExample collapse_examples[] = {
    {EXAMPLE_PRODUCT, "strip k by=8 as=kb,kk", "collapse kb kk as=k", NULL},
    {EXAMPLE_PRODUCT, "", "collapse k i", "a symbolic one is not affine"},
    {NULL, NULL, NULL, NULL},
};

const Rule collapse_rule = {
    .name = "collapse",
    .usage = "collapse OUTER INNER [as=NAME]",
    .summary = "Makes one loop of two, the inner of which has a constant number of iterations.",
    .picture = "for i                            for c in 0 .. 8*n\n"
               "    for j in 0 .. 8    →             S(c/8, c%8)\n"
               "        S(i, j)\n",
    RULE_KNOBS(collapse_knobs),
    .apply = apply_collapse,
    .find = find_collapse,
    .examples = collapse_examples,
};
