// SPDX-License-Identifier: MIT
// limits.c -- the least and the greatest of the same values, of which a loop looks for the second where the
// first is none.
//
//   for (i…)                              if (lo <= hi)
//       if (x[i] < lo) lo = x[i];             for (i…) { if (x[i] < lo) lo = x[i];
//       else if (x[i] > hi) hi = x[i];  →                if (x[i] > hi) hi = x[i]; }
//                                         else for (i…) … as it is written
//
// What is less than the least is not greater than the greatest, as long as these are in order; and they stay
// so, for one only falls and the other only rises. A NaN is not in order, and none of x is taken.
// The two conditions by themselves are reductions (record.c, update.c).
#include "front/normal.h"

typedef struct Limit {
    const Array *var;
    Expr *e;     // var becomes e where it is less, or
    bool greater, equal;
} Limit;

typedef struct Limits {
    Normal *m;
    Arena *a;
    const Region *r;
    const Node *chosen; // the condition that is taken apart
    Limit first, second;
    bool any;           // some loop was made two
} Limits;

// ---- what is compared and set ---------------------------------------------------------------------
static Expr *wide(Expr *x, const Array *v) { // a float's value as a double
    bool widens = x->kind == E_CAST && x->type == T_F64 && x->args[0]->type == T_F32 && v->elem == T_F32;
    return widens ? x->args[0] : x;
}

static const Stmt *sets(const Node *n, const Array *v) {
    if (n->kind == N_STMT) return n->stmt->op == OP_SET && n->stmt->lhs == v ? n->stmt : NULL;
    const Stmt *found = NULL;
    for (int k = 0; n->kind == N_SEQ && k < n->nkids && !found; k++) found = sets(n->kids[k], v);
    return found;
}

// c, or one of the conditions that it joins, is e < v or its like, and the branch sets v to e.
static bool read_limit(const Expr *c, const Node *branch, bool contrary, Limit *out) {
    if (c->kind == E_OP && c->op == OP_LAND && !contrary)
        return read_limit(c->args[0], branch, false, out) || read_limit(c->args[1], branch, false, out);
    if (c->kind == E_OP && c->op == OP_LNOT) return read_limit(c->args[0], branch, !contrary, out);
    if (c->kind != E_OP || c->op < OP_LT || c->op > OP_GE) return false;
    for (int side = 0; side < 2; side++) {
        Expr *load = c->args[side], *e = c->args[1 - side];
        const Expr *x = load->kind == E_CAST ? load->args[0] : load;
        const Array *v = x->kind == E_LOAD ? x->array : NULL;
        if (!v || v->rank || v->place != PLACE_USER || wide(load, v)->kind != E_LOAD) continue;
        e = wide(e, v);
        const Stmt *s = sets(branch, v);
        if (!s || e->type != v->elem || !expr_equal(s->rhs, e)) continue;
        if (contrary && type_is_float(e->type)) continue; // a NaN is not "not less"
        Op op = side ? c->op : op_mirrored(c->op); // e op v
        bool less = op == OP_LT || op == OP_LE, equal = op == OP_LE || op == OP_GE;
        *out = (Limit){v, e, less == contrary, equal != contrary};
        return true;
    }
    return false;
}

static Node *only(Node *n) {
    while (n && n->kind == N_SEQ && n->nkids == 1 && !n->nlocals) n = n->kids[0];
    return n;
}

static bool told_at_entry(const Array *v) {
    return v->source && !v->offset && str_eq(v->object, v->name);
}

// Nothing that the first branch sets is read by the second condition but the second's own variable.
static bool is_apart(Limits *l, Node *then, const Node *other) {
    ArrayVec written = node_written(l->a, then);
    for (int i = 0; i < written.n; i++)
        if (expr_may_read(other->cond, written.at[i]) || written.at[i] == l->second.var) return false;
    return !node_writes(other->then, l->first.var) && !expr_reads(l->first.e, l->first.var) &&
           !expr_reads(l->first.e, l->second.var);
}

// How many statements of the region set v.
static int times_set(const Region *r, const Array *v) {
    int n = 0;
    for (int k = 0; k < r->nstmts; k++) n += r->stmts[k]->lhs == v;
    return n;
}

static bool is_pair(Limits *l, Node *n) {
    if (n->kind != N_IF || !n->other) return false;
    Node *then = n->then, *other = only(n->other);
    bool contrary = only(n->then)->kind == N_IF && other->kind != N_IF;
    if (contrary) then = n->other, other = only(n->then);
    if (other->kind != N_IF || other->other) return false;
    bool read = read_limit(n->cond, then, contrary, &l->first) &&
                other->cond->kind == E_OP && other->cond->op != OP_LAND &&
                read_limit(other->cond, other->then, false, &l->second);
    const Array *v = l->first.var, *w = l->second.var;
    return read && v != w && v->elem == w->elem && l->first.greater != l->second.greater &&
           !(l->first.equal && l->second.equal) && expr_equal(l->first.e, l->second.e) && told_at_entry(v) &&
           told_at_entry(w) && times_set(l->r, v) == 1 && times_set(l->r, w) == 1 && is_apart(l, then, other);
}

// ---- the loop with both by themselves -----------------------------------------------------------------
static Node *apart(Limits *l, Node *n) {
    Node *first = only(n->then), *second = only(n->other);
    bool contrary = first->kind == N_IF && second->kind != N_IF;
    Expr *not = contrary ? expr_op(l->a, OP_LNOT, n->cond, NULL, NULL) : n->cond;
    Node *x = node_if(l->a, not, contrary ? n->other : n->then, NULL);
    x->loc = n->loc;
    return node_seq(l->a, 2, (Node *[]){x, contrary ? first : second});
}

static Expr *at_entry(Limits *l, const Array *v) {
    Sym *s = NEW(l->a, Sym);
    const char *source = v->source[0] == '&' ? v->source + 1 : arena_printf(l->a, "*(%s)", v->source);
    const char *name = name_new(l->m, arena_printf(l->a, "%s_in", v->name));
    *s = (Sym){.name = name, .kind = SYM_PARAM, .type = v->elem, .source = source, .held = v->held};
    return expr_sym(l->a, s);
}

static Node *both_ways(Limits *l, Node *loop) {
    Node *split = node_replace(l->a, loop, l->chosen, apart(l, (Node *)l->chosen));
    split = tree_anew(l->m, split, true);
    l->any = true;
    Expr *v = at_entry(l, l->first.var), *w = at_entry(l, l->second.var);
    bool up = l->second.greater;
    Node *n = node_if(l->a, expr_op(l->a, OP_LE, up ? v : w, up ? w : v, NULL), split, loop);
    n->loc = loop->loc;
    return n;
}

// Outermost loops of the region; what the loop is written as is looked at once.
static Node *outermost(Limits *l, Node *n) {
    if (n->kind == N_FOR && !mark_vouches(n->mark)) {
        l->chosen = NULL;
        node_each(k, n)
            if (!l->chosen && is_pair(l, k)) l->chosen = k;
        return l->chosen ? both_ways(l, n) : n;
    }
    if (n->kind != N_SEQ) return n;
    Node *m = node_clone(l->a, n);
    m->kids = NEW_N(l->a, Node *, n->nkids);
    for (int k = 0; k < n->nkids; k++) m->kids[k] = outermost(l, n->kids[k]);
    return m;
}

Region *pass_limits(Normal *m, Region *r) {
    Limits l = {.m = m, .a = m->a, .r = r};
    Node *root = outermost(&l, r->root);
    return l.any ? region_with(m, r, root) : r;
}
