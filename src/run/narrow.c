// SPDX-License-Identifier: MIT
// narrow.c -- does all that a nest computes with these arguments stay in its types, and do 32-bit
// indices suffice?
//
// Conditions of a nest are about whole numbers. That what rules and printers make of the program's
// bounds and subscripts does not overflow where the program does not is seen here, before each call:
// all values are bounded, and none may leave its type. Bounds keep a distance from the ends of
// theirs, so that printers need not think of it when they round them up.
#include "ir/span.h"
#include "run/state.h"

static const int64_t LIMIT = ((int64_t)1 << 31) - ((int64_t)1 << 16), LIMIT_64 = (int64_t)1 << 62;

typedef struct Look {
    SpanEnv env;
    bool narrow; // 32-bit indices suffice
    bool holds;  // nothing leaves its type
    const Expr *top; // the whole subscript; NULL: it is a bound
} Look;

static bool is_small(Span s) { return s.lo > -LIMIT && s.hi < LIMIT; }

static bool look(Look *l, const Expr *x, bool top, Span *s);

static void look_loads(Look *l, const Expr *x) {
    if (x->kind == E_LOAD) {
        Span s;
        for (int i = 0; i < x->array->rank; i++) look(l, x->args[i], true, &s);
        return;
    }
    for (int i = 0; i < x->nargs; i++) look_loads(l, x->args[i]);
}

// A part of an index, of which all that has 64 bits must be small. At the top of a subscript a loaded value
// lies within the array's footprint, which is bounded elsewhere, and so does what it or an unsigned number is
// converted to; below an operator nothing bounds a loaded value. Conversions that keep a value are as small
// as what they convert.
static void see(const Expr *x, bool known, Span s, void *arg) {
    Look *l = arg;
    if (type_is_float(x->type) || type_size(x->type) < 8) return;
    if (known && is_small(s) && x->kind != E_LOAD) return;
    const Expr *from = x->kind == E_CAST ? x->args[0] : NULL, *top = l->top;
    while (top && top != x) top = top->kind == E_CAST ? top->args[0] : NULL;
    bool turns = from && (from->type == T_U32 || (x->type == T_U64 && type_is_signed(from->type)));
    if (from && !type_is_float(from->type) && (!turns || top)) return;
    if (x->kind == E_LOAD && top) return;
    l->narrow = false;
}

// All of an expression that bounds, conditions or subscripts are made of. False: its range is not known.
static bool look(Look *l, const Expr *x, bool top, Span *s) {
    const Expr *around = l->top;
    *s = (Span){0};
    l->top = top ? x : NULL;
    l->env.over = false;
    bool known = span_of(x, &l->env, s);
    l->holds &= !l->env.over && (!l->env.strict || (known && !s->data));
    look_loads(l, x);
    l->top = around;
    return known;
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
    if (!look(l, n->lo, false, &lo)) lo = any(n->iter->type);
    if (!look(l, n->hi, false, &hi)) hi = any(n->iter->type);
    int64_t last, step = n->step, most = type_size(n->iter->type) == 8 ? LIMIT_64 : LIMIT;
    int64_t up = l->env.strict ? lo.hi : lo.lo, down = l->env.strict ? lo.lo : lo.hi; // of a loop without any
    if (step > 0) at = (Span){lo.lo, hi.hi - 1 > up ? hi.hi - 1 : up}, last = at.hi;
    else at = (Span){hi.lo + 1 < down ? hi.lo + 1 : down, lo.hi}, last = at.lo;
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
    Span s;
    for (int k = 0; n->via_sub && k < n->nvia; k++)
        for (int d = 0; n->via_sub[k] && d < n->via[k]->rank; d++) look(l, n->via_sub[k][d], true, &s);
    for (int i = 0; i < n->stmt->depth; i++) {
        bool known = look(l, n->at[i], true, &s);
        l->narrow &= known;
        push(l, n->stmt->iters[i], known ? s : any(n->stmt->iters[i]->type));
    }
    for (int i = 0; i < n->stmt->lhs->rank; i++) look(l, n->stmt->sub[i], true, &s);
    look_loads(l, n->stmt->rhs);
    l->env.n = mark;
}

static void look_local(Look *l, const Array *a) {
    int64_t size = 1, x;
    SpanEnv *e = &l->env;
    for (int d = 0; d < a->rank; d++) {
        Span s;
        if (a->of && a->origin) look(l, a->origin[d], true, &s);
        if (!a->extent[d]) continue;
        if (!span_of(a->extent[d], e, &s)) l->narrow = false;
        else if (x = s.hi, __builtin_mul_overflow(size, x > 0 ? x : 1, &size) || size >= LIMIT)
            l->narrow = false;
        if (!l->narrow) return;
    }
}

static void look_node(Look *l, Node *n) {
    Span s;
    if (!n || !l->holds) return;
    switch (n->kind) {
    case N_SEQ:
        for (int i = 0; i < n->nlocals; i++) look_local(l, n->locals[i]);
        for (int i = 0; i < n->nkids; i++) look_node(l, n->kids[i]);
        break;
    case N_FOR: look_for(l, n); break;
    case N_IF:
        look(l, n->cond, false, &s);
        look_node(l, n->then);
        look_node(l, n->other);
        break;
    case N_STMT: look_stmt(l, n); break;
    case N_COPY:
        for (int i = 0; i < n->dst->rank; i++) look(l, n->sub[i], true, &s);
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

// ---- for many calls at once ----------------------------------------------------------------------
// Ranges of a call's values, for all of which everything holds and is narrow. Ranges of what is made of
// ranges only grow with them.
typedef struct Roomy {
    struct Roomy *next;
    Span *of; // [nvals]
} Roomy;

static bool is_within(const Call *c, const Roomy *k) {
    for (int i = 0; i < c->nvals; i++) {
        if (type_is_float(c->vals[i].sym->type)) continue;
        if (c->vals[i].i < k->of[i].lo || c->vals[i].i > k->of[i].hi) return false;
    }
    return true;
}

// Up to the next power of two, from its half or from nought on; what the nest asks of the device as it is.
static Span range_around(const Unit *u, const Call *c, int i, bool from_nought) {
    enum { FEW = 1 << 12 };
    int64_t x = c->vals[i].i, end = 2;
    if (i >= u->region->nparams || x < 0 || x >= LIMIT) return (Span){x, x};
    while (end <= x) end *= 2;
    int64_t most = type_most(c->vals[i].sym->type);
    if (from_nought && end < FEW) end = FEW;
    return (Span){from_nought ? 0 : x ? end / 2 : 0, end - 1 < most ? end - 1 : most};
}

static void find_roomy(Unit *u, const Call *c, bool from_nought) {
    Look l = {.env = {.nvals = c->nvals, .vals = c->vals, .seen = see, .strict = true},
              .narrow = true,
              .holds = true};
    l.env.arg = &l;
    Roomy *k = NEW(u->c->arena, Roomy);
    k->of = NEW_N(u->c->arena, Span, c->nvals + 1);
    for (int i = 0; i < c->nvals; i++) {
        if (type_is_float(c->vals[i].sym->type)) continue;
        k->of[i] = range_around(u, c, i, from_nought);
        push(&l, c->vals[i].sym, k->of[i]);
    }
    look_node(&l, c->v->nest->root);
    if (l.holds && l.narrow) k->next = c->v->roomies, c->v->roomies = k;
}

bool widths_hold(Unit *u, const Call *c, bool *wide) {
    enum { TRIES = 8 };
    bool close = feet_fit(c);
    for (const Roomy *k = c->v->roomies; k; k = k->next)
        if (is_within(c, k)) return *wide = !close, true;
    Look l = {.env = {.nvals = c->nvals, .vals = c->vals, .seen = see}, .narrow = close, .holds = true};
    l.env.arg = &l;
    look_node(&l, c->v->nest->root);
    *wide = !l.narrow;
    for (int i = 0; l.narrow && l.holds && i < 2 && c->v->tries < TRIES; i++) {
        c->v->tries++;
        find_roomy(u, c, i == 0);
        if (c->v->roomies && is_within(c, c->v->roomies)) break;
    }
    return l.holds;
}
