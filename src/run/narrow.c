// SPDX-License-Identifier: MIT
// narrow.c -- does all that a nest computes with these arguments stay in its types, and do 32-bit
// indices suffice?
//
// Conditions of a nest are about whole numbers. That what rules and printers make of the program's
// bounds and subscripts does not overflow where the program does not is seen here, before each call:
// all values are bounded, and none may leave its type. Bounds keep a distance from the ends of
// theirs, so that printers need not think of it when they round them up.
#include "run/span.h"
#include "run/state.h"

static const int64_t LIMIT = ((int64_t)1 << 31) - ((int64_t)1 << 16), LIMIT_64 = (int64_t)1 << 62;

typedef struct Look {
    SpanEnv env;
    bool narrow; // 32-bit indices suffice
    bool holds;  // nothing leaves its type
} Look;

static bool is_small(Span s) { return s.lo > -LIMIT && s.hi < LIMIT; }

static void look(Look *l, const Expr *x, bool top);

static void look_loads(Look *l, const Expr *x) {
    if (x->kind == E_LOAD) {
        for (int i = 0; i < x->array->rank; i++) look(l, x->args[i], true);
        return;
    }
    for (int i = 0; i < x->nargs; i++) look_loads(l, x->args[i]);
}

// x is used as an index. At the top of a subscript a loaded value lies within the array's
// footprint, which is bounded elsewhere; below an operator nothing bounds it.
static void look_expr(Look *l, const Expr *x, bool top) {
    Span s;
    if (x->kind == E_LOAD) {
        look_loads(l, x);
        if (!top && type_size(x->type) == 8) l->narrow = false;
        return;
    }
    if (x->kind == E_CAST) {
        const Expr *from = x->args[0];
        if (!type_is_float(from->type)) look_expr(l, from, top);
        else look_loads(l, from), l->narrow &= type_size(x->type) < 8;
        bool turns = from->type == T_U32 || (x->type == T_U64 && type_is_signed(from->type));
        if (!top && type_size(x->type) == 8 && turns && (!span_of(x, &l->env, &s) || !is_small(s)))
            l->narrow = false; // of the same bits another value
        return;
    }
    if (type_is_float(x->type)) {
        look_loads(l, x);
        return;
    }
    if (type_size(x->type) == 8 && (!span_of(x, &l->env, &s) || !is_small(s))) l->narrow = false;
    for (int i = 0; i < x->nargs; i++) look_expr(l, x->args[i], false);
}

// All of an expression that bounds, conditions or subscripts are made of.
static void look(Look *l, const Expr *x, bool top) {
    Span s;
    l->env.over = false;
    if (type_is_int(x->type)) span_of(x, &l->env, &s);
    l->holds &= !l->env.over;
    look_expr(l, x, top);
}

static void push(Look *l, const Sym *s, Span v) {
    if (!span_push(&l->env, s, v)) l->narrow = l->holds = false;
}

// Values that cannot be told (read from memory) are those of their type.
static Span any(Type t) {
    Span s = {type_least(t), type_most(t), true};
    return type_size(t) < 8 ? s : (Span){-((int64_t)1 << 31), ((int64_t)1 << 31) - 1, true};
}

static void look_node(Look *l, Node *n);

static void look_for(Look *l, Node *n) {
    Span lo, hi, at;
    look(l, n->lo, false);
    look(l, n->hi, false);
    if (!span_of(n->lo, &l->env, &lo)) lo = any(n->iter->type);
    if (!span_of(n->hi, &l->env, &hi)) hi = any(n->iter->type);
    int64_t last, step = n->step, most = type_size(n->iter->type) == 8 ? LIMIT_64 : LIMIT;
    if (step > 0) at = (Span){lo.lo, hi.hi - 1 > lo.lo ? hi.hi - 1 : lo.lo}, last = at.hi;
    else at = (Span){hi.lo + 1 < lo.hi ? hi.lo + 1 : lo.hi, lo.hi}, last = at.lo;
    at.data = lo.data || hi.data;
    int64_t beyond;
    bool known = !expr_has_load(n->lo) && !expr_has_load(n->hi),
         over = __builtin_add_overflow(last, step, &beyond);
    if (over) l->narrow = false;
    else if (type_size(n->iter->type) == 8 && known)
        l->narrow &= is_small((Span){beyond, beyond}) && is_small(at);
    if (!at.data) {
        Span far = {lo.lo < hi.lo ? lo.lo : hi.lo, lo.hi > hi.hi ? lo.hi : hi.hi};
        l->holds &= !over && beyond >= -most && beyond <= most && far.lo >= -most && far.hi <= most &&
                    far.hi - far.lo <= most;
    }
    push(l, n->iter, at);
    look_node(l, n->body);
    l->env.n--;
}

static void look_stmt(Look *l, Node *n) {
    int mark = l->env.n;
    for (int k = 0; n->via_sub && k < n->nvia; k++)
        for (int d = 0; n->via_sub[k] && d < n->via[k]->rank; d++) look(l, n->via_sub[k][d], true);
    for (int i = 0; i < n->stmt->depth; i++) {
        Span s;
        look(l, n->at[i], true);
        bool known = span_of(n->at[i], &l->env, &s);
        l->narrow &= known;
        push(l, n->stmt->iters[i], known ? s : any(n->stmt->iters[i]->type));
    }
    for (int i = 0; i < n->stmt->lhs->rank; i++) look(l, n->stmt->sub[i], true);
    look_loads(l, n->stmt->rhs);
    l->env.n = mark;
}

static void look_local(Look *l, const Array *a) {
    int64_t size = 1, x;
    SpanEnv *e = &l->env;
    for (int d = 0; d < a->rank; d++) {
        Span s;
        if (a->of && a->origin) look(l, a->origin[d], true);
        if (!a->extent[d]) continue;
        if (!span_of(a->extent[d], e, &s)) l->narrow = false;
        else if (x = s.hi, __builtin_mul_overflow(size, x > 0 ? x : 1, &size) || size >= LIMIT)
            l->narrow = false;
        if (!l->narrow) return;
    }
}

static void look_node(Look *l, Node *n) {
    if (!n || !l->holds) return;
    switch (n->kind) {
    case N_SEQ:
        for (int i = 0; i < n->nlocals; i++) look_local(l, n->locals[i]);
        for (int i = 0; i < n->nkids; i++) look_node(l, n->kids[i]);
        break;
    case N_FOR: look_for(l, n); break;
    case N_IF:
        look(l, n->cond, false);
        look_node(l, n->then);
        look_node(l, n->other);
        break;
    case N_STMT: look_stmt(l, n); break;
    case N_COPY:
        for (int i = 0; i < n->dst->rank; i++) look(l, n->sub[i], true);
        look_loads(l, n->src);
        break;
    case N_KERNEL: look_node(l, n->body); break;
    case N_BARRIER: break;
    }
}

// Linear indices of the program's arrays: the farthest byte of each footprint from its base.
static bool feet_fit(const Call *c) {
    for (int i = 0; i < c->v->nest->nfeet; i++) {
        const Box *b = &c->boxes[i];
        if (b->run == 0) continue;
        uintptr_t base = (uintptr_t)c->args[c->v->foot_object[i]].p;
        const Array *a = c->v->nest->feet[i].array;
        int64_t unit = a->stride == type_size(a->elem) ? a->stride : 1;
        int64_t lo = (int64_t)(b->origin - base) / unit, hi = (int64_t)(box_end(b) - base) / unit;
        if (!is_small((Span){lo, hi})) return false;
    }
    return true;
}

bool widths_hold(const Call *c, bool *wide) {
    Look l = {.env = {.nvals = c->nvals, .vals = c->vals}, .narrow = feet_fit(c), .holds = true};
    look_node(&l, c->v->nest->root);
    *wide = !l.narrow;
    return l.holds;
}
