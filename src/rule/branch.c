// SPDX-License-Identifier: MIT
// branch.c -- loops taken apart where a condition inside changes its mind.
//
//   a serial loop      for i in 0 .. n  if (i < m) S else T
//                  →   for i in 0 .. min(m, n)  S;   for i_1 in max(m, 0) .. n  T
//
//   threads            for ti in 0 .. 128 thread  if (ti < m) S else T       the condition, warp by warp
//                  →   for tiw in 0 .. 4 thread  for til in 0 .. 32 thread   ▓▓▓▓ ▓▓░░ ░░░░ ░░░░
//                          if (all of the warp)  S                             S    ?    T    T
//                          else if (some of it)  if (32*tiw + til < m) S else T
//                          else  T
//
//   every second       for ti in 0 .. 128 thread  if (ti % 2 == 0) S else T  ▓░▓░ ▓░▓░ ▓░▓░ ▓░▓░
//                  →   for tic in 0 .. 2 thread  for tiq in 0 .. 64 thread   ▓▓▓▓ ▓▓▓▓ ░░░░ ░░░░
//                          if (tic == 0)  S else T
//
// A warp whose lanes go both ways runs both. The first has no condition left; in the second only one
// warp asks each lane; in the third lanes of one warp go one way (they then touch every
// second word). The condition is the first one inside that has the loop's counter and none of
// the loops between; one with an else goes before others.
#include "rule/branch.h"
#include "rule/examples.h"
#include "rule/find.h"
#include "rule/loops.h"

enum { WARP = 32, INSIDE_MAX = 32 };

// ---- the condition -----------------------------------------------------------------------------
typedef struct Search {
    const Node *loop;
    int n;
    const Sym *inside[INSIDE_MAX];
    bool both;         // only branches with an else: an edge's guard costs one warp, a choice every one
    Node *branch;      // found
    Expr *term;
} Search;

static bool compares(const Expr *x) {
    bool which = x->kind == E_OP && (x->op == OP_LT || x->op == OP_LE || x->op == OP_GT || x->op == OP_GE ||
                                     x->op == OP_EQ || x->op == OP_NE);
    return which && type_is_int(x->args[0]->type);
}

static bool is_site(const Search *s, const Expr *term) {
    if (!expr_uses_sym(term, s->loop->iter) || !cond_is_free(term)) return false;
    for (int i = 0; i < s->n; i++)
        if (expr_uses_sym(term, s->inside[i])) return false;
    return compares(term);
}

static void search(Search *s, Node *n) {
    if (!n || s->branch) return;
    if (n->kind == N_IF && (n->other || !s->both)) {
        Expr *t[TERMS_MAX];
        int count = cond_terms(n->cond, t, TERMS_MAX);
        for (int i = 0; i < count; i++)
            if (is_site(s, t[i])) return (void)(s->branch = n, s->term = t[i]);
    }
    bool enter = n->kind == N_FOR && n != s->loop;
    if (enter && s->n == INSIDE_MAX) return;
    if (enter) s->inside[s->n++] = n->iter;
    for (int i = 0; i < n->nkids; i++) search(s, n->kids[i]);
    search(s, n->body);
    search(s, n->then);
    search(s, n->other);
    if (enter) s->n--;
}

static bool search_all(Search *s) {
    for (s->both = true;; s->both = false) {
        search(s, s->loop->body);
        if (s->branch || !s->both) return s->branch != NULL;
    }
}

// x % c == r or x % c != r with the counter in x: c; else 0.
static int64_t residue(const Expr *t) {
    const Expr *x = t->args[0];
    bool equal = t->op == OP_EQ || t->op == OP_NE,
         rest = x->kind == E_OP && (x->op == OP_FMOD || x->op == OP_MOD);
    return equal && rest && x->args[1]->kind == E_INT && t->args[1]->kind == E_INT ? x->args[1]->i : 0;
}

// ---- serial loops --------------------------------------------------------------------------------
// Where the condition changes: at most two values of the counter, the lesser first; how many.
static int cut_points(Change *ch, const Node *loop, Expr *t, Expr *out[2]) {
    Arena *a = ch->a;
    Expr *lower = NULL, *upper = NULL, *none = NULL;
    if (t->op == OP_EQ || t->op == OP_NE) {
        Expr *from = expr_op(a, OP_GE, t->args[0], t->args[1], NULL),
             *to = expr_op(a, OP_LE, t->args[0], t->args[1], NULL);
        if (!loop_term(ch, loop, from, &lower, &none) || !lower) return 0;
        if (!loop_term(ch, loop, to, &none, &upper) || !upper) return 0;
    } else if (!loop_term(ch, loop, t, &lower, &upper)) {
        return 0;
    }
    int n = 0;
    if (lower) out[n++] = lower;
    if (upper) out[n++] = upper;
    return n;
}

static Nest *cut_serial(Change *ch, Node *loop, const Search *s) {
    Expr *at[2];
    Node *parts[3];
    Halves h;
    int cuts = cut_points(ch, loop, s->term, at);
    if (!cuts)
        return change_refuse(ch, "%s changes in no one place of %s", ir_print_expr(ch->a, s->term),
                             loop->iter->name);
    if (!loop_halves(ch, loop, at[0], false, &h)) return NULL;
    parts[0] = h.first, parts[1] = h.second;
    if (cuts == 2) {
        if (!loop_halves(ch, h.second, at[1], false, &h)) return NULL;
        parts[1] = h.first, parts[2] = h.second;
    }
    Node *root = loop_parts(ch, ch->nest->root, loop, cuts + 1, parts);
    for (int i = 0; i <= cuts && root; i++) root = simplify_at(ch->c, ch->nest, root, parts[i]);
    return root ? change_done(ch, root) : NULL;
}

// ---- threads -------------------------------------------------------------------------------------------
// The loop as two digits, whose value the counter had: coarse * c + fine, or the other way round.
static Node *two_digits(Change *ch, Node *loop, const Sym *outer, int64_t n, const Sym *inner, int64_t m,
                        Expr *value, Node *body) {
    Arena *a = ch->a;
    Type t = outer->type;
    Expr *at = expr_cast(a, loop->iter->type, expr_add(a, expr_cast(a, t, loop->lo), value));
    body = node_subst(a, body, 1, &loop->iter, &at);
    Node *in = node_for(a, inner, expr_int(a, t, 0), expr_int(a, t, m), 1, HOW_THREAD, body);
    Node *out = node_for(a, outer, expr_int(a, t, 0), expr_int(a, t, n), 1, HOW_THREAD, in);
    in->loc = out->loc = loop->loc;
    return out;
}

// Registers that name a thread do so by its digits.
static bool has_digits(const Node *n) {
    for (int i = 0; i < n->nlocals; i++)
        if (n->locals[i]->digits) return true;
    return false;
}

// `term` where the counter is that far past loop->lo.
static Expr *term_at(Change *ch, const Node *loop, Expr *term, Expr *past) {
    Expr *x =
        expr_cast(ch->a, loop->iter->type, expr_add(ch->a, expr_cast(ch->a, past->type, loop->lo), past));
    return expr_subst(ch->a, term, 1, &loop->iter, &x);
}

static Node *by_warps(Change *ch, Node *loop, const Search *s, const Sym *const names[2], int64_t trips) {
    Arena *a = ch->a;
    Type t = names[0]->type;
    Expr *first = expr_mul(a, expr_sym(a, names[0]), expr_int(a, t, WARP));
    Expr *last = expr_add(a, first, expr_int(a, t, WARP - 1));
    Expr *lo = term_at(ch, loop, s->term, first), *hi = term_at(ch, loop, s->term, last);
    // An inequality that both ends of an interval meet is met by all of it; one that neither meets, by none.
    Expr *all = expr_op(a, OP_LAND, lo, hi, NULL), *some = expr_op(a, OP_LOR, lo, hi, NULL);
    Expr *terms[TERMS_MAX], *rest = NULL;
    int count = cond_terms(s->branch->cond, terms, TERMS_MAX);
    for (int i = 0; i < count; i++)
        if (terms[i] != s->term) rest = cond_and(a, rest, terms[i]);
    Node *nothing = node_seq(a, 0, NULL), *other = s->branch->other;
    Node *mixed = change_copy(ch, s->branch);
    Node *yes =
        rest ? node_if(a, rest, s->branch->then, other ? change_copy(ch, other) : NULL) : s->branch->then;
    Node *no = node_if(a, some, mixed, other ? other : NULL);
    Node *body = node_replace(a, loop->body, s->branch, node_if(a, all, yes, no ? no : nothing));
    Expr *value = expr_add(a, first, expr_sym(a, names[1]));
    return two_digits(ch, loop, names[0], trips / WARP, names[1], WARP, value, body);
}

static Nest *cut_threads(Change *ch, Node *loop, const Search *s) {
    Arena *a = ch->a;
    const char *name = loop->iter->name;
    int64_t trips, c = residue(s->term);
    const Sym *names[2];
    if (node_any(ch->nest->root, has_digits))
        return change_refuse(ch, "registers name their thread by %s; branch goes before them", name);
    if (!loop_constant(loop, &trips))
        return change_refuse(ch, "%s has no constant number of iterations", name);
    int64_t by = c ? c : WARP;
    if (by < 2 || trips % by || trips == by)
        return change_refuse(ch, "%lld threads of %s are no multiple of %lld", (long long)trips, name,
                             (long long)by);
    Node *twice = node_clone(a, loop);
    twice->body = loop;
    if (!loop_room(ch, node_replace(a, ch->nest->root, loop, twice), loop, HOW_THREAD)) return NULL;
    if (!two_counters(ch, loop, counter_type(loop), c ? "c" : "w", c ? "q" : "l", names)) return NULL;
    Expr *lower, *upper;
    bool grows = s->term->op != OP_EQ && s->term->op != OP_NE && loop_term(ch, loop, s->term, &lower, &upper);
    if (!c && !grows) return change_refuse(ch, "%s parts no warps", ir_print_expr(a, s->term));
    Node *n;
    if (c) {
        Expr *value = expr_add(a, expr_mul(a, expr_sym(a, names[1]), expr_int(a, names[1]->type, c)),
                               expr_sym(a, names[0]));
        n = two_digits(ch, loop, names[0], c, names[1], trips / c, value, loop->body);
    } else {
        n = by_warps(ch, loop, s, names, trips);
    }
    Node *root = node_replace(a, ch->nest->root, loop, n);
    return change_done(ch, simplify_at(ch->c, ch->nest, root, n));
}

const Expr *branch_term(Node *loop) {
    Search s = {.loop = loop};
    return search_all(&s) && !residue(s.term) ? s.term : NULL;
}

static Nest *apply(Change *ch) {
    Node *loop = change_loop(ch, ch->step->words[0]);
    const char *over[2];
    if (!loop) return NULL;
    if (change_names(ch, "over", over, 2)) {
        Node *inner = change_loop(ch, over[0]);
        return inner ? branch_flat(ch, loop, inner) : NULL;
    }
    Search s = {.loop = loop};
    if (!search_all(&s))
        return change_refuse(
            ch, "nothing in %s stands under a comparison of its counter with what does not change in it",
            loop->iter->name);
    if (loop->how == HOW_THREAD) return cut_threads(ch, loop, &s);
    if (residue(s.term))
        return change_refuse(ch, "%s changes in each iteration of %s; strip it and interchange",
                             ir_print_expr(ch->a, s.term), loop->iter->name);
    return cut_serial(ch, loop, &s);
}

static bool holds_condition(Node *loop) {
    Search s = {.loop = loop};
    if (loop->how != HOW_SERIAL && loop->how != HOW_THREAD) return false;
    return search_all(&s);
}

static void find_branch(Finder *f) { find_loops(f, holds_condition, "branch %1"); }

static const Knob knobs[] = {
    {"as", "with threads: names of the two loops", KNOB_NAMES, 0, 0, NULL, ""},
    {"over", "the loop inside, of another length in each iteration: both become one, with a condition",
     KNOB_NAMES, 0, 0, NULL, ""},
};

#define EXAMPLE_BRANCH(cond)                                                                       \
    "sculpt 1 region sides sculpt { param n: i32 = \"n\" param m: i32 = \"m\" array x[n]: f32 = \"x\" live " \
    "array y[n]: f32 = \"y\" live do { for i: i32 = 0 .. n { if (" cond ") S0[i] else S1[i] } } "    \
    "stmt S0[i]: y[i] = x[i] * 2.0 stmt S1[i]: y[i] = x[i] + 1.0 }"
// Rows of lengths that the data tell.
#define EXAMPLE_ROWS                                                                               \
    "sculpt 1 region rows sculpt { param n: i32 = \"n\" array y[n]: f32 = \"y\" live "              \
    "array x[n]: f32 = \"x\" array len[n]: i32 = \"len\" do { for i: i32 = 0 .. n for j: i32 = 0 .. len[i] " \
    "S0[i, j] } stmt S0[i, j]: y[i] += x[i] }"
#define EXAMPLE_BRANCH_BLOCKS "strip i by=128 as=ib,ii\nmap block ib\nmap thread ii\n"

static const RuleExample examples[] = {
    {EXAMPLE_BRANCH("i < m"), "", "branch i", NULL},
    {EXAMPLE_BRANCH("3 * i >= m + 5"), "", "branch i", NULL},
    {EXAMPLE_BRANCH("i == m"), "", "branch i", NULL},
    {EXAMPLE_BRANCH("i < m && n > 7"), "", "branch i", NULL},
    {EXAMPLE_BRANCH("i < m"), "strip i by=8 as=ib,ii", "branch ib", "nothing in ib stands under"},
    {EXAMPLE_BRANCH("i < m"), "strip i by=128 as=ib,ii\ntrim ii\nmap block ib", "branch ii", NULL},
    {EXAMPLE_BRANCH("i > m"), EXAMPLE_BRANCH_BLOCKS, "branch ii", NULL},
    {EXAMPLE_BRANCH("fmod(i, 2) == 0"), EXAMPLE_BRANCH_BLOCKS, "branch ii as=parity,half", NULL},
    {EXAMPLE_BRANCH("fmod(i, 2) == 0"), "", "branch i", "changes in each iteration"},
    {EXAMPLE_BRANCH("i < m"), "strip i by=48 as=ib,ii\nmap block ib\nmap thread ii\n", "branch ii",
     "no multiple of 32"},
    {EXAMPLE_SUM, "", "branch i", "nothing in i stands under"},
    {EXAMPLE_ROWS, "strip i by=4 as=it,iq", "branch iq over=j", NULL},
    {EXAMPLE_ROWS, "", "branch i over=j", "no constant number of rows"},
    {EXAMPLE_TRIANGLE, "distribute i\nstrip i_1 by=4 as=it,iq", "branch iq over=j", NULL},
    {EXAMPLE_SUM, "strip k by=4 as=kt,kq", "branch kq over=i", "interchange them"},
    {NULL, NULL, NULL, NULL},
};

const Rule branch_rule = {
    .name = "branch",
    .usage = "branch LOOP [as=WARPS,LANES], or branch ROWS over=LOOP",
    .summary = "Takes a loop apart where a condition inside changes, so that its parts have none; threads at "
               "warps, so that "
               "only one warp goes both ways; or makes one loop of rows of different lengths.",
    .picture = "for i in 0 .. n                   for i in 0 .. min(m, n)\n"
               "    if (i < m) S           →          S\n"
               "    else T                        for i_1 in max(m, 0) .. n\n"
               "                                      T\n",
    RULE_KNOBS(knobs),
    .apply = apply,
    .find = find_branch,
    .examples = examples,
};
