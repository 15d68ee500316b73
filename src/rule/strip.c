// SPDX-License-Identifier: MIT
// strip.c -- strip mining: one loop as two.
#include "rule/examples.h"
#include "rule/find.h"
#include "rule/loops.h"

static bool holds_around(Change *ch, Node *root, const Node *loop, Expr *cond) {
    Path p;
    Nest nest = *ch->nest;
    nest.root = root;
    return path_to(root, loop, &p) && holds_at(ch->c, &nest, &p, cond);
}

static bool divides(Change *ch, Node *root, Node *loop, Expr *trips, int64_t by) {
    int64_t n;
    if (loop_constant(loop, &n)) return n % by == 0;
    Arena *a = ch->a;
    Expr *rest = expr_op(a, OP_FMOD, trips, expr_int(a, trips->type, by), NULL);
    return holds_around(ch, root, loop, expr_op(a, OP_EQ, rest, expr_int(a, rest->type, 0), NULL));
}

// A part of a strip of a loop around it, never more than one strip?
static bool is_one_strip(Change *ch, Node *root, const Node *loop, Expr *trips, int64_t by) {
    Arena *a = ch->a;
    int64_t n;
    bool least = loop->hi->kind == E_OP && loop->hi->op == OP_MIN, moves = expr_uses_iters(loop->lo);
    if (!least && (!moves || !expr_uses_iters(loop->hi))) return false;
    if (loop_constant(loop, &n)) return false;
    return holds_around(ch, root, loop, expr_op(a, OP_LE, trips, expr_int(a, trips->type, by), NULL));
}

// A loop whose first value depends on loops around it is cut at multiples of N, so that strips
// of one number lie side by side in all of them; others are cut from their first value on.
typedef struct Cut {
    Expr *from, *to;      // of the outer loop
    Expr *value;          // of the old counter
    Expr *in;             // does it exist? NULL: always
} Cut;

static Cut cut_at_multiples(Arena *a, const Node *loop, const StripWish *w) {
    Type t = w->outer->type;
    Expr *by = expr_int(a, t, w->by);
    Cut c = {.value = expr_add(a, expr_mul(a, expr_sym(a, w->outer), by), expr_sym(a, w->inner))};
    c.from = expr_op(a, OP_FDIV, loop->lo, by, NULL);
    c.to = expr_op(a, OP_FDIV, expr_add(a, loop->hi, expr_int(a, t, w->by - 1)), by, NULL);
    c.in =
        cond_and(a, expr_op(a, OP_GE, c.value, loop->lo, NULL), expr_op(a, OP_LT, c.value, loop->hi, NULL));
    return c;
}

static Cut cut_from_first(Arena *a, const Node *loop, const StripWish *w, Expr *trips, bool full) {
    Type t = w->outer->type;
    Expr *by = expr_int(a, t, w->by);
    Expr *at = expr_add(a, expr_mul(a, expr_sym(a, w->outer), by), expr_sym(a, w->inner));
    Cut c = {.from = expr_int(a, t, 0), .value = loop_value(a, loop, at)};
    c.to = expr_op(a, OP_FDIV, full ? trips : expr_add(a, trips, expr_int(a, t, w->by - 1)), by, NULL);
    if (!full) c.in = expr_op(a, loop->step > 0 ? OP_LT : OP_GT, c.value, loop->hi, NULL);
    return c;
}

Node *loop_strip(Change *ch, Node *root, Node *loop, const StripWish *w) {
    Arena *a = ch->a;
    const char *name = loop->iter->name;
    Type t = w->outer->type;
    const Region *r = ch->nest->region;
    bool told = cond_is_free(loop->lo) && cond_is_free(loop->hi);
    if (!told && (!cond_is_steady(r, loop->lo) || !cond_is_steady(r, loop->hi)))
        return change_refuse(ch, "the bounds of %s may change", name), NULL;
    if (loop->how == HOW_VECTOR || loop->how == HOW_COOP)
        return change_refuse(ch, "%s is a %s loop", name, how_name(loop->how)), NULL;
    // One loop becomes two of its kind: is there room for this one inside a copy of it?
    Node *outer = node_clone(a, loop);
    outer->body = loop;
    if (!loop_room(ch, node_replace(a, root, loop, outer), loop, loop->how)) return NULL;
    Node bare = *loop;
    bare.lo = expr_cast(a, t, loop->lo);
    bare.hi = expr_cast(a, t, loop->hi);
    int64_t n;
    Expr *trips = loop_span(a, &bare);
    bool multiples =
        loop->step == 1 && (w->aligned || (told && expr_uses_iters(loop->lo) && !loop_constant(loop, &n)));
    bool full = w->by == 1 || (!multiples && divides(ch, root, loop, trips, w->by));
    if (!full && (w->exact || loop->how == HOW_THREAD))
        return change_refuse(ch, "%lld does not divide the iterations of %s, %s, as far as can be shown%s",
                             (long long)w->by, name, ir_print_expr(a, trips),
                             w->exact ? "; edge=guard takes any number" : ""),
               NULL;
    bool one = !full && is_one_strip(ch, root, loop, trips, w->by);
    Cut c = multiples && !full && !one ? cut_at_multiples(a, &bare, w)
                                       : cut_from_first(a, &bare, w, trips, full);
    if (one) c.to = expr_int(a, t, 1);
    Expr *value = expr_cast(a, loop->iter->type, c.value);
    Node *body = node_subst(a, loop->body, 1, &loop->iter, &value);
    // What a block asks is the same for all its threads, and best asked once.
    if (c.in) body = loop->how == HOW_BLOCK ? node_if(a, c.in, body, NULL) : guard_sink(a, body, c.in);
    Node *inner = node_for(a, w->inner, expr_int(a, t, 0), expr_int(a, t, w->by), 1, loop->how, body);
    outer = node_for(a, w->outer, c.from, c.to, 1, loop->how, inner);
    inner->loc = outer->loc = loop->loc;
    return node_replace(a, root, loop, outer);
}

static Nest *apply(Change *ch) {
    Node *loop = change_loop(ch, ch->step->words[0]);
    const char *edge = change_word(ch, "edge");
    StripWish w = {.by = change_int(ch, "by"), .exact = str_eq(edge, "exact")};
    w.aligned = str_eq(edge, "multiples");
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
    {"edge",
     "what is done about a last strip that isn't full: conditions, or nothing because there is none; "
     "multiples: strips begin at multiples of N, whatever the loop's first iteration",
     KNOB_WORD, 0, 0, "guard|exact|multiples", "guard"},
};

static void find_strip(Finder *f) { find_loops(f, loop_is_serial, "strip %1 by=32"); }

// Rows whose ends the loops write.
#define MOVING_ROWS                                                                               \
    "sculpt 1 region moving sculpt { param n: i32 = \"n\" array row[n + 1]: i32 = \"row\" live "  \
    "do { for i: i32 = 0 .. n for k: i32 = row[i] .. row[i + 1] S0[i, k] } stmt S0[i, k]: row[i] = k }"

static const RuleExample strip_examples[] = {
    {EXAMPLE_PRODUCT, "", "strip i by=32", NULL},
    {EXAMPLE_PRODUCT, "", "strip k by=7 as=kb,kk", NULL},
    {EXAMPLE_PRODUCT, "peel k first=3", "strip k by=4 edge=multiples", NULL},
    {EXAMPLE_EACH, "", "strip j by=3", NULL},
    {EXAMPLE_EACH, "", "strip i by=1", NULL},
    {EXAMPLE_TRIANGLE, "", "strip i by=4", NULL},
    {EXAMPLE_BODY, "", "strip k by=3 edge=exact", NULL},
    {EXAMPLE_PRODUCT, "strip i by=64 as=ib,ii", "strip ii by=8 as=it,iu edge=exact", NULL},
    {EXAMPLE_PRODUCT, "", "strip i by=16 edge=exact", "16 does not divide the iterations of i"},
    {MOVING_ROWS, "", "strip k by=4", "the bounds of k may change"},
    {EXAMPLE_PRODUCT, "", "strip i by=0", "by=0 is out of range"},
    {EXAMPLE_PRODUCT, "", "strip i as=x,y", "by= is missing"},
    {EXAMPLE_PRODUCT, "", "strip q by=2", "there is no loop q; there are j, k, i"},
    {EXAMPLE_PRODUCT, "", "strip i by=2 as=j,ii", "the name j is taken"},
    {NULL, NULL, NULL, NULL},
};

const Rule strip_rule = {
    .name = "strip",
    .usage = "strip LOOP by=N [as=OUTER,INNER] [edge=guard|exact|multiples]",
    .summary = "Cuts a loop into strips of N iterations: two loops, the inner one of constant extent.",
    .picture = "for i in 0 .. n                  for ib in 0 .. ceil(n/32)\n"
               "    S(i)               →             for ii in 0 .. 32\n"
               "                                         if (32*ib + ii < n) S(32*ib + ii)\n",
    RULE_KNOBS(knobs),
    .apply = apply,
    .find = find_strip,
    .examples = strip_examples,
};
