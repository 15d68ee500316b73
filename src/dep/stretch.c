// SPDX-License-Identifier: MIT
// stretch.c -- loops dealt in equal stretches, whose length no number is.
//
//   for w = 0 .. 64 block                             for w = 0 .. 64 block
//       for i = c * w .. min(c * (w + 1), n)     →        for i = 0 .. n
//           S[i]                                              if (owner(i) == w) S[i]      c = ceil(n / 64)
//
// c * w is not affine. But the stretches part 0 .. n, so each i has just one w, and to judge the tree no more
// need be known of it: owner is an unknown function (term.h). That it is one of 0 .. 63 stands in the region.
#include "dep/stretch.h"

typedef struct Stretch {
    Arena *a;
    Poly *poly;
    const Node *over, *loop; // over w, over i
    Expr *lo, *hi;           // of i, for all w together
} Stretch;

static bool is_op(const Expr *x, Op op) { return x->kind == E_OP && x->op == op; }

static const Expr *bare(const Expr *x) {
    while (x->kind == E_CAST) x = x->args[0];
    return x;
}

// lo = base + each * w; NULL: it is something else.
static const Expr *each_of(const Expr *lo, const Sym *w) {
    lo = bare(lo);
    if (is_op(lo, OP_ADD)) lo = bare(lo->args[1]);
    if (!is_op(lo, OP_MUL)) return NULL;
    const Expr *x = bare(lo->args[0]), *y = bare(lo->args[1]);
    if (x->kind == E_SYM && x->sym == w) x = y, y = bare(lo->args[0]);
    return y->kind == E_SYM && y->sym == w && !expr_uses_sym(x, w) ? x : NULL;
}

// Are so many stretches of length `each` enough for the iterations from lo to hi? Those of
// max((hi - lo + number - 1) / number, 0) are.
static bool is_enough(Stretch *s, const Expr *each, int64_t number) {
    Arena *a = s->a;
    if (!is_op(each, OP_MAX) || !expr_is_int(each->args[1], 0)) return false;
    const Expr *part = bare(each->args[0]);
    if (!is_op(part, OP_FDIV) || !expr_is_int(part->args[1], number)) return false;
    Expr *span = expr_sub(a, expr_cast(a, T_I64, s->hi), expr_cast(a, T_I64, s->lo));
    Expr *least = expr_add(a, span, expr_int(a, T_I64, number - 1));
    Expr *less = expr_op(a, OP_LT, expr_cast(a, T_I64, part->args[0]), least, NULL);
    isl_set *bad = poly_cond(s->poly, (PolyScope){0, NULL}, less, NULL);
    bool enough = bad && isl_set_is_empty(bad) == isl_bool_true;
    isl_set_free(bad);
    return enough;
}

static bool is_stretch(Stretch *s, const Node *over, const Node *n) {
    const Sym *w = over->iter;
    if (n->kind != N_FOR || n->step != 1 || n->how != HOW_SERIAL || !is_op(n->hi, OP_MIN)) return false;
    const Expr *each = each_of(n->lo, w);
    if (!each || expr_uses_sym(n->hi->args[1], w)) return false;
    Expr *at = expr_sym(s->a, w), *zero = expr_int(s->a, w->type, 0);
    Expr *next = expr_add(s->a, at, expr_int(s->a, w->type, 1));
    if (!expr_equal(expr_subst(s->a, n->lo, 1, &w, &next), n->hi->args[0])) return false;
    s->over = over;
    s->loop = n;
    s->lo = expr_subst(s->a, n->lo, 1, &w, &zero);
    s->hi = n->hi->args[1];
    return is_enough(s, each, over->hi->i);
}

static bool find_below(Stretch *s, const Node *over, const Node *n) {
    if (is_stretch(s, over, n)) return true;
    for (int k = 0; node_kid(n, k); k++)
        if (find_below(s, over, node_kid(n, k))) return true;
    return false;
}

static bool find(Stretch *s, const Node *n) {
    bool counts = n->kind == N_FOR && n->step == 1 && expr_is_int(n->lo, 0) && n->hi->kind == E_INT;
    if (counts && n->hi->i > 0 && find_below(s, n, n->body)) return true;
    for (int k = 0; node_kid(n, k); k++)
        if (find(s, node_kid(n, k))) return true;
    return false;
}

// ---- the region's loop ------------------------------------------------------------------------------

// A statement that the loop runs, and which of its counters is the loop's.
static const Stmt *counted_by(const Node *n, const Sym *i, int *d) {
    if (n->kind == N_STMT)
        for (*d = 0; *d < n->stmt->depth; (*d)++)
            if (n->at[*d]->kind == E_SYM && n->at[*d]->sym == i) return n->stmt;
    const Stmt *s = NULL;
    for (int k = 0; !s && node_kid(n, k); k++) s = counted_by(node_kid(n, k), i, d);
    return s;
}

// Loop number d around the statement, where `depth` are around n.
static const Node *loop_around(const Node *n, const Stmt *s, int d, int depth) {
    if (n->kind == N_STMT) return n->stmt == s ? n : NULL;
    const Node *found = NULL;
    for (int k = 0; !found && node_kid(n, k); k++)
        found = loop_around(node_kid(n, k), s, d, depth + (n->kind == N_FOR));
    return found && n->kind == N_FOR && depth == d ? n : found;
}

// ---- both trees ----------------------------------------------------------------------------------------

static Expr *owner(Arena *a, int number, const Sym *i) {
    Expr **x = NEW_N(a, Expr *, 1);
    *x = expr_cast(a, T_I64, expr_sym(a, i));
    return expr_call(a, arena_printf(a, "owner of stretch %d", number), T_I64, 1, x);
}

static Node *only_if(Arena *a, Node *root, const Node *loop, Expr *cond, Expr *lo, Expr *hi) {
    Node *n = node_clone(a, loop);
    n->lo = lo;
    n->hi = hi;
    n->body = node_if(a, cond, loop->body, NULL);
    return node_replace(a, root, loop, n);
}

bool dep_stretches(Compile *c, const Region **region, const Node **root) {
    enum { MOST = 6 };
    Arena *a = c->arena;
    int n = 0;
    Stretch s = {.a = a, .poly = poly_new(c)};
    for (; n < MOST && find(&s, *root); n++) {
        int d;
        const Stmt *stmt = counted_by(s.loop->body, s.loop->iter, &d);
        const Node *loop = stmt ? loop_around((*region)->root, stmt, d, 0) : NULL;
        if (!loop || loop->kind != N_FOR) return false;
        Expr *at = owner(a, n, loop->iter), *zero = expr_int(a, T_I64, 0), *w = expr_sym(a, s.over->iter);
        Expr *of = expr_cast(a, T_I64, s.over->hi);
        Expr *some = expr_op(a, OP_LE, zero, at, NULL);
        Expr *one = expr_op(a, OP_LAND, some, expr_op(a, OP_LT, at, of, NULL), NULL);
        Region *r = NEW_AS(a, Region, **region);
        r->root = only_if(a, r->root, loop, one, loop->lo, loop->hi);
        *region = r;
        Expr *mine = expr_op(a, OP_EQ, owner(a, n, s.loop->iter), expr_cast(a, T_I64, w), NULL);
        *root = only_if(a, (Node *)*root, s.loop, mine, s.lo, s.hi);
    }
    return n > 0;
}
