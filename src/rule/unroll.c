// SPDX-License-Identifier: MIT
// unroll.c -- a short innermost loop is printed with an unroll factor.
//
//   for k in 0..p  acc += a[i][k] * b[k][j]   →   for k in 0..p unroll 16  acc += …
//
// More loads are then under way at a time. The order of the iterations stays, so it is always
// right; it is for bodies so small that waiting for loads is what they do.
#include "rule/examples.h"
#include "rule/find.h"
#include "rule/loops.h"

enum {
    FACTOR = 16, // of 0, 2, 4, 8 and 16 the best over three spellings of the matrix product, n = 4096, H200
    MAX_STMTS = 2,
    MAX_LOADS = 4,
};

// A few statements and loads, no calls, divisions, conditions, inner loops.
static bool is_light(const Node *loop) {
    int stmts = 0, loads = 0;
    node_each(n, loop->body) {
        bool leaf = n->kind == N_COPY || n->kind == N_STMT;
        if (n->kind == N_FOR || n->kind == N_IF || n->kind == N_KERNEL || n->atomic) return false;
        stmts += leaf;
        expr_each(x, !leaf ? NULL : n->kind == N_COPY ? n->src : n->stmt->rhs) {
            if (x->kind == E_LOAD && x->array->place != PLACE_LOCAL) loads++;
            if (x->kind == E_CALL && x->nargs != 1) return false;
            bool divides = x->kind == E_OP && (x->op == OP_DIV || x->op == OP_MOD);
            if (divides && type_is_float(x->type)) return false;
        }
    }
    return stmts <= MAX_STMTS && loads >= 1 && loads <= MAX_LOADS;
}

static Node *unrolled(Node *n, void *a) {
    if (n->kind == N_STMT || n->kind == N_COPY) return n;
    Node *m = node_map(a, n, unrolled, a);
    // Bounds that depend on data promise few iterations.
    bool plain = n->kind == N_FOR && n->how == HOW_SERIAL && !n->unroll && (n->step == 1 || n->step == -1) &&
                 !expr_has_load(n->lo) && !expr_has_load(n->hi);
    if (plain && is_light(n)) m->unroll = FACTOR;
    return m;
}

static Node *rule_unroll_inner(Arena *a, Node *root) { return unrolled(root, a); }

// ---- the rule -----------------------------------------------------------------------------------
enum { MAX_UNROLL = 1024 };

static Nest *in_kernel(Change *ch, Node *kernel) {
    Node *k = rule_unroll_inner(ch->a, kernel);
    if (str_eq(ir_print_node(ch->a, k, 0), ir_print_node(ch->a, kernel, 0)))
        return change_refuse(ch, "%s has no short innermost loops", kernel->name);
    return change_done(ch, node_replace(ch->a, ch->nest->root, kernel, k));
}

// for u = i - 1 .. i + 2  S(u)   →   for u = 0 .. 3  S(i - 1 + u)
static void begin_at_zero(Change *ch, const Node *loop, Node *n, int64_t trips) {
    Type t = loop->iter->type;
    n->iter = counter_named(ch, loop->iter->name, t, loop, false);
    n->lo = expr_int(ch->a, t, 0);
    n->hi = expr_int(ch->a, t, trips * loop->step);
    Expr *to = expr_add(ch->a, expr_cast(ch->a, t, loop->lo), expr_sym(ch->a, n->iter));
    n->body = node_subst(ch->a, loop->body, 1, &loop->iter, &to);
}

static Nest *apply_unroll(Change *ch) {
    Node *kernel = kernel_named(ch->nest->root, ch->step->words[0]);
    if (kernel) return in_kernel(ch, kernel);
    Node *loop = change_loop(ch, ch->step->words[0]);
    if (!loop) return NULL;
    const char *name = loop->iter->name;
    if (loop->how != HOW_SERIAL && loop->how != HOW_UNROLL)
        return change_refuse(ch, "%s is a %s loop", name, how_name(loop->how));
    Node *n = node_clone(ch->a, loop);
    int64_t trips;
    if (change_text(ch, "by")) {
        n->how = HOW_SERIAL;
        n->unroll = (int)change_int(ch, "by");
    } else if (!loop_constant(loop, &trips)) {
        return change_refuse(ch, "%s has no constant number of iterations; by=N unrolls it in part", name);
    } else if (trips > MAX_UNROLL) {
        return change_refuse(ch, "%s has %lld iterations, too many to unroll; by=N unrolls it in part", name,
                             (long long)trips);
    } else {
        if (loop->lo->kind != E_INT) begin_at_zero(ch, loop, n, trips);
        n->how = HOW_UNROLL;
        n->unroll = 0;
    }
    return change_done(ch, node_replace(ch->a, ch->nest->root, loop, n));
}

static const Knob unroll_knobs[] = {
    {"by", "copies of the body; all when it isn't given", KNOB_INT, 1, 256, NULL, ""},
};

static void find_unroll(Finder *f) { find_loops(f, loop_is_innermost, "unroll %1 by=4"); }

static const RuleExample unroll_examples[] = {
    {EXAMPLE_PRODUCT, "", "unroll i by=4", NULL},
    {EXAMPLE_PRODUCT, "strip k by=16 as=kb,kk", "unroll kk", NULL},
    {EXAMPLE_PRODUCT, "grid i j threads=32,8", "unroll product_0", NULL},
    {EXAMPLE_PRODUCT, "", "unroll i", "no constant number of iterations"},
    {NULL, NULL, NULL, NULL},
};

const Rule unroll_rule = {
    .name = "unroll",
    .usage = "unroll LOOP [by=N], or unroll KERNEL",
    .summary = "Unrolls a loop, whole or by a factor, or by 16 the innermost loops of a kernel that only "
               "wait for memory; the order of iterations stays.",
    .picture = "for k in 0 .. 16                 S(0)\n"
               "    S(k)               →         S(1)\n"
               "                                 … S(15)\n",
    RULE_KNOBS(unroll_knobs),
    .apply = apply_unroll,
    .find = find_unroll,
    .examples = unroll_examples,
};
