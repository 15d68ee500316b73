// SPDX-License-Identifier: MIT
// record_make.c -- records as reductions whose order does not matter, with the bits that the loop in order
// would give.
//
//   for (i…) if (v < 0 && C) v = i;      at = most;  for (i…) if (C) at min= i;
//                                        if (v < 0 && at != most) v = at;
//   for (i…) if (C) v = e(i);            at = -1;  for (i…) if (C) at max= i;       if (at >= 0) v = e(at);
//
//   for (i…)                             best = -inf;  for (i…) best max= a[i];
//       if (a[i] > m)                    at = most;    for (i…) at min= a[i] == best ? i : most;
//           m = a[i], k = i;             if (at < most && best > m) m = best, k = at;
//
// The first of what is equal counts where only what is greater replaces it, else the last. Iterations of
// several loops are numbered through. Of two zeros neither is greater, so the number of the iteration is
// doubled and its last bit says which zero was there; where no place is asked for, that is reduced beside the
// values:
//
//   for (i…) if (a[i] > m) m = a[i];     for (i…) { best max= a[i];
//                                                   zero min= a[i] == 0 ? 2*i + (a[i] is -0) : most; }
//                                        if (best > m) m = best == 0 ? (zero & 1 ? -0.0 : 0.0) : best;
//
// A NaN is never greater: reductions skip it, and an m that is one stays. Where the program asks "not less",
// a NaN is taken and anything replaces it: only what comes behind the last NaN counts, whose place is looked
// for before.
#include "front/record.h"
#include <math.h>

typedef struct Make {
    Record *r;
    Arena *a;
    Expr *key;              // the number of the iteration, from 0, in T_I64
    bool is_float, places;  // places: a second loop looks for where the best stands
    // where: of the best, or of a zero; any: the last iteration that counts
    const Array *best, *where, *nan, *any;
    NodeVec out;
    ArrayVec needed;        // by a copy of the loop
} Make;

// ---- small parts ------------------------------------------------------------------------------------
static Expr *i64(Make *k, int64_t v) { return expr_int(k->a, T_I64, v); }
static Expr *op2(Make *k, Op op, Expr *x, Expr *y) { return expr_op(k->a, op, x, y, NULL); }
static Expr *value(Make *k, const Array *v) { return expr_load(k->a, v, NULL); }

static Expr *choose(Make *k, Expr *c, Expr *x, Expr *y) { return expr_op(k->a, OP_SELECT, c, x, y); }

static Node *put_at(Make *k, const Array *v, Expr **sub, Op op, Expr *x) {
    Stmt *s = NEW(k->a, Stmt);
    *s = (Stmt){.loc = k->r->place->loc, .lhs = v, .sub = sub, .op = op, .rhs = expr_cast(k->a, v->elem, x)};
    return stmt_leaf(k->a, s);
}

static Node *put(Make *k, const Array *v, Op op, Expr *x) { return put_at(k, v, NULL, op, x); }

static const Array *variable(Make *k, const char *name, Type t) {
    Array *v = NEW(k->a, Array);
    name = name_new(k->r->m, name);
    *v = (Array){.name = name, .object = name, .elem = t, .place = PLACE_LOCAL, .stride = type_size(t)};
    return v;
}

static Node *seq(Make *k, NodeVec *v) { return node_seq(k->a, v->n, v->at); }
static bool takes_first(const Record *r) { return r->e && !r->equal; }
static Op place_op(const Record *r) { return takes_first(r) ? OP_MIN : OP_MAX; }
static Expr *nowhere(Make *k) { return i64(k, takes_first(k->r) ? INT64_MAX : -1); }

static Expr *worst(Make *k, Type t) {
    bool greatest = k->r->op == OP_MAX;
    if (type_is_float(t)) return expr_float(k->a, t, greatest ? -INFINITY : INFINITY);
    int bits = 8 * type_size(t) - type_is_signed(t);
    int64_t most = bits == 64 ? -1 : bits == 63 ? INT64_MAX : ((int64_t)1 << bits) - 1;
    return expr_int(k->a, t, !greatest ? most : type_is_signed(t) ? -most - 1 : 0);
}

// ---- numbers of iterations ----------------------------------------------------------------------------
static Expr *span(Make *k, const Node *l, Expr *from, Expr *to) {
    Expr *more = l->step > 0 ? to : from, *less = l->step > 0 ? from : to;
    return op2(k, OP_SUB, expr_cast(k->a, T_I64, more), expr_cast(k->a, T_I64, less));
}

// False: how many iterations an inner loop has is not known before, or whether there are any.
static bool number_iterations(Make *k) {
    for (int j = 0; j < k->r->loops.n; j++) {
        Node *l = k->r->loops.at[j];
        bool known =
            !expr_varies(l->lo) && !expr_varies(l->hi) && !loop_is_unbounded(l) && l->how == HOW_SERIAL;
        if (!known || l->iter->type == T_U64) return false;
        Expr *here = span(k, l, l->lo, expr_sym(k->a, l->iter));
        k->key = j ? expr_add(k->a, expr_mul(k->a, k->key, span(k, l, l->lo, l->hi)), here) : here;
    }
    return true;
}

// x with the counters that iteration `key` has.
static Expr *there(Make *k, Expr *x, Expr *key) {
    for (int j = k->r->loops.n - 1; j >= 0; j--) {
        Node *l = k->r->loops.at[j];
        Expr *width = span(k, l, l->lo, l->hi), *far = j ? op2(k, OP_MOD, key, width) : key;
        Expr *at = op2(k, l->step > 0 ? OP_ADD : OP_SUB, expr_cast(k->a, T_I64, l->lo), far);
        at = expr_cast(k->a, l->iter->type, at);
        x = expr_subst(k->a, x, 1, &l->iter, &at);
        key = op2(k, OP_DIV, key, width);
    }
    return x;
}

// ---- may it be done? ------------------------------------------------------------------------------------
static void need(Make *k, const Expr *root) {
    expr_each(x, root)
        if (x->kind == E_LOAD && !has_array(&k->needed, x->array)) vec_push(k->a, &k->needed, x->array);
}

static bool writes_needed(const Make *k, const Node *n) {
    if (n->kind == N_STMT) return has_array(&k->needed, n->stmt->lhs);
    bool found = false;
    for (int j = 0; node_kid(n, j) && !found; j++) found = writes_needed(k, node_kid(n, j));
    return found;
}

// What is needed below n, which stands in the loop: for the place, and for what is needed already. Is the
// place there?
static bool need_node(Make *k, Node *n) {
    bool around = n == k->r->place;
    if (around) return true;
    for (int j = 0; node_kid(n, j); j++) around |= need_node(k, node_kid(n, j));
    if (n->kind == N_FOR) need(k, n->lo), need(k, n->hi);
    if (n->kind == N_IF && (around || writes_needed(k, n))) need(k, n->cond);
    if (n->kind != N_STMT || !has_array(&k->needed, n->stmt->lhs)) return around;
    need(k, n->stmt->rhs);
    for (int j = 0; j < n->stmt->lhs->rank; j++) need(k, n->stmt->sub[j]);
    return around;
}

static Node *loop_without(Make *k, Node *other) { return node_replace(k->a, k->r->loop, k->r->place, other); }

// Can the loop be run again for what is compared? Then nothing is read that it writes but temporaries of one
// iteration.
static bool can_repeat(Make *k, Node *rest) {
    need(k, k->r->guard);
    need(k, k->r->e);
    for (int before = -1; before != k->needed.n;) {
        before = k->needed.n;
        need_node(k, k->r->loop);
    }
    ArrayVec written = node_written(k->a, rest);
    for (int j = 0; j < written.n; j++)
        for (int i = 0; i < k->needed.n; i++) {
            const Array *w = written.at[j], *v = k->needed.at[i];
            if (w != v && arrays_may_overlap(w, v)) return false;
            if (w == v && (!is_temporary(w) || node_exposed(k->a, k->r->loop->body, w))) return false;
        }
    return true;
}

// May a value be computed once more, where the place is known?
static bool is_there_again(const ArrayVec *written, const Expr *root) {
    expr_each(x, root) {
        if (x->kind != E_LOAD) continue;
        if (x->array->place != PLACE_USER) return false;
        for (int d = 0; d < x->array->rank; d++)
            if (!x->array->extent[d]) return false;
        for (int j = 0; j < written->n; j++)
            if (arrays_may_overlap(x->array, written->at[j])) return false;
    }
    return true;
}

// Nothing else in the loop names the scalars, and what they are set to is known from the iteration's number.
static bool is_apart(Make *k, Node *rest) {
    Record *r = k->r;
    ArrayVec written = node_written(k->a, rest);
    for (int j = 0; j < r->var.n; j++) {
        if (node_uses(rest, r->var.at[j])) return false;
        for (int i = 0; i < written.n; i++)
            if (arrays_may_overlap(r->var.at[j], written.at[i])) return false;
        if (j != r->at && !is_there_again(&written, r->value.at[j])) return false;
    }
    return true;
}

// ---- copies of the loop --------------------------------------------------------------------------------
static bool is_own(const Make *k, const Array *v) {
    return v == k->where || v == k->nan || v == k->best || v == k->any;
}

static Stmt *only_needed(Rebuild *b, Stmt *s) {
    Make *k = b->self;
    return is_own(k, s->lhs) || has_array(&k->needed, s->lhs) ? s : NULL;
}

// The loop once more for `instead`, with what that needs; temporaries are made the copy's own by private.c.
static Node *loop_again(Make *k, Node *instead) {
    Rebuild b = {.a = k->a, .stmt = only_needed, .self = k};
    return rebuild_node(&b, tree_anew(k->r->m, loop_without(k, instead), false));
}

// ---- reductions
// ---------------------------------------------------------------------------------------------
static Node *guarded(Make *k, NodeVec *kids) {
    Node *n = seq(k, kids);
    return k->r->guard ? node_if(k->a, k->r->guard, n, NULL) : n;
}

// x, or `none` in front of the last NaN.
static Expr *counted(Make *k, Expr *x, Expr *none) {
    return k->r->nan ? choose(k, op2(k, OP_GT, k->key, value(k, k->nan)), x, none) : x;
}

// 2 * number + (is it -0?)
static Expr *signed_key(Make *k) {
    if (!k->is_float) return k->key;
    Expr *e = k->r->e, *args[2] = {expr_float(k->a, e->type, 1), e};
    Expr *sign = expr_call(k->a, e->type == T_F32 ? "copysignf" : "copysign", e->type, 2, args);
    Expr *minus = op2(k, OP_LT, sign, expr_float(k->a, e->type, 0));
    return op2(k, OP_ADD, op2(k, OP_MUL, k->key, i64(k, 2)), expr_cast(k->a, T_I64, minus));
}

static Node *update_place(Make *k, Expr *same) {
    Expr *hit = choose(k, op2(k, OP_EQ, k->r->e, same), signed_key(k), nowhere(k));
    return put(k, k->where, place_op(k->r), counted(k, hit, nowhere(k)));
}

static Node *begin(Make *k, const Array **v, const char *name, Type t, Expr *x) {
    *v = variable(k, name, t);
    return put(k, *v, OP_SET, x);
}

static void find_nan(Make *k) {
    vec_push(k->a, &k->out, begin(k, &k->nan, "nan_at", T_I64, i64(k, -1)));
    Expr *hit = choose(k, op2(k, OP_NE, k->r->e, k->r->e), k->key, i64(k, -1));
    NodeVec kids = {0};
    vec_push(k->a, &kids, put(k, k->nan, OP_MAX, hit));
    vec_push(k->a, &k->out, loop_again(k, guarded(k, &kids)));
}

// The mark of a loop that lets the best be reduced in any order.
static Node *marked(Rebuild *b, Node *n) {
    Make *k = b->self;
    bool around = false;
    for (int j = 0; n->kind == N_FOR && j < k->r->loops.n; j++) around |= k->r->loops.at[j]->iter == n->iter;
    if (!around) return n;
    Mark *m = NEW(k->a, Mark);
    *m = n->mark ? *n->mark : (Mark){.loc = n->loc};
    m->red = NEW_N(k->a, const Array *, m->nred + 1);
    m->redop = NEW_N(k->a, Op, m->nred + 1);
    for (int i = 0; i < m->nred; i++) m->red[i] = n->mark->red[i], m->redop[i] = n->mark->redop[i];
    m->red[m->nred] = k->best;
    m->redop[m->nred++] = k->r->op;
    n->mark = m;
    return n;
}

static void find_best(Make *k) {
    Record *r = k->r;
    Type t = r->e->type;
    bool zeros = k->is_float && !k->places, exists = r->nan || r->quiet;
    NodeVec kids = {0};
    vec_push(k->a, &k->out, begin(k, &k->best, "best", t, worst(k, t)));
    vec_push(k->a, &kids, put(k, k->best, r->op, counted(k, r->e, worst(k, t))));
    if (zeros) {
        vec_push(k->a, &k->out, begin(k, &k->where, "zero_at", T_I64, nowhere(k)));
        vec_push(k->a, &kids, update_place(k, expr_float(k->a, t, 0)));
    }
    if (exists) {
        vec_push(k->a, &k->out, begin(k, &k->any, "last", T_I64, i64(k, -1)));
        Expr *counts = r->quiet ? choose(k, op2(k, OP_EQ, r->e, r->e), k->key, i64(k, -1)) : k->key;
        vec_push(k->a, &kids, put(k, k->any, OP_MAX, counts));
    }
    Rebuild b = {.a = k->a, .node = marked, .self = k};
    vec_push(k->a, &k->out, rebuild_node(&b, loop_without(k, guarded(k, &kids))));
}

static void find_place(Make *k) {
    vec_push(k->a, &k->out, begin(k, &k->where, "at", T_I64, nowhere(k)));
    NodeVec kids = {0};
    vec_push(k->a, &kids, update_place(k, value(k, k->best)));
    vec_push(k->a, &k->out, loop_again(k, guarded(k, &kids)));
}

// ---- what the scalars become ------------------------------------------------------------------------------
// The best, as the zero that was there.
static Expr *best_value(Make *k) {
    Type t = k->r->e->type;
    Expr *best = value(k, k->best), *zero = expr_float(k->a, t, 0);
    if (!k->is_float) return best;
    Expr *minus = op2(k, OP_AND, value(k, k->where), i64(k, 1));
    Expr *bits = choose(k, op2(k, OP_NE, minus, i64(k, 0)), expr_float(k->a, t, -0.0), zero);
    return choose(k, op2(k, OP_EQ, best, zero), bits, best);
}

// Inside of other loops scalars are chosen: the best, and what is told by the place's number alone.
static bool may_choose(const Record *r) {
    bool can = r->e && (r->at >= 0 || r->var.n == 1) && (r->var.n == 1 || (!r->nan && !r->quiet));
    for (int j = 0; j < r->value.n; j++) can = can && (j == r->at || !expr_has_load(r->value.at[j]));
    return can;
}

// So whether they are set depends on no data. First those that the condition does not read. nan: where it
// does not hold, all were NaN; NULL: they weren't.
static Node *choose_all(Make *k, Expr *cond, Expr *nan, Expr *key, Expr *best) {
    Record *r = k->r;
    NodeVec kids = {0};
    for (int n = 0; n < r->var.n; n++) {
        int j = r->at < 0 ? n : n == r->var.n - 1 ? r->at : n + (n >= r->at);
        Expr *x = j == r->at ? best : there(k, r->value.at[j], key);
        Type t = r->var.at[j]->elem;
        Expr *old = nan ? choose(k, nan, expr_float(k->a, t, NAN), r->now.at[j]) : r->now.at[j];
        x = choose(k, cond, expr_cast(k->a, t, x), old);
        vec_push(k->a, &kids, put_at(k, r->var.at[j], r->now.at[j]->args, OP_SET, x));
    }
    return seq(k, &kids);
}

static Node *set_all(Make *k, Expr *key, Expr *best) {
    Record *r = k->r;
    NodeVec kids = {0};
    for (int j = 0; j < r->var.n; j++) {
        Expr *x = j == r->at ? best : there(k, r->value.at[j], key);
        vec_push(k->a, &kids, put_at(k, r->var.at[j], r->now.at[j]->args, OP_SET, x));
    }
    return seq(k, &kids);
}

// Is the best better than what was there before the loop?
static Expr *beats_start(Make *k) {
    const Record *r = k->r;
    Expr *best = value(k, k->best), *start = expr_cast(k->a, r->e->type, r->start);
    Op less = r->op == OP_MAX ? (r->equal ? OP_GT : OP_GE) : (r->equal ? OP_LT : OP_LE);
    Op more = r->op == OP_MAX ? (r->equal ? OP_GE : OP_GT) : (r->equal ? OP_LE : OP_LT);
    if (r->nan) { // not: the start is better than the best; whatever it was in front of a NaN
        Expr *not = expr_op(k->a, OP_LNOT, op2(k, less, start, best), NULL, NULL);
        return op2(k, OP_LOR, op2(k, OP_GE, value(k, k->nan), i64(k, 0)), not);
    }
    Expr *is = op2(k, more, best, start);
    return r->quiet ? op2(k, OP_LOR, is, op2(k, OP_NE, start, start)) : is;
}

static void set_from_best(Make *k) {
    Record *r = k->r;
    Expr *key = k->where ? value(k, k->where) : NULL;
    if (k->is_float && key) key = op2(k, OP_DIV, key, i64(k, 2));
    Expr *some = k->places ? op2(k, OP_NE, value(k, k->where), nowhere(k)) : NULL, *nan = NULL;
    if (r->quiet) some = op2(k, OP_GE, value(k, k->any), i64(k, 0));
    if (r->nan) {
        some = op2(k, OP_GT, value(k, k->any), value(k, k->nan));
        nan = op2(k, OP_GE, value(k, k->nan), i64(k, 0));
    }
    if (r->inside) {
        Expr *cond = some ? op2(k, OP_LAND, some, beats_start(k)) : beats_start(k);
        vec_push(k->a, &k->out, choose_all(k, cond, nan, key, best_value(k)));
        return;
    }
    Node *set = node_if(k->a, beats_start(k), set_all(k, key, best_value(k)), NULL), *other = NULL;
    Node *all_nan = nan ? set_all(k, value(k, k->nan), expr_float(k->a, r->e->type, NAN)) : NULL;
    if (nan) other = node_if(k->a, nan, all_nan, NULL);
    vec_push(k->a, &k->out, some ? node_if(k->a, some, set, other) : set);
}

// The last iteration that counts, or the first.
static void one_of_them(Make *k) {
    Expr *before = k->r->before, *none = i64(k, before ? INT64_MAX : -1);
    vec_push(k->a, &k->out, begin(k, &k->where, "at", T_I64, none));
    NodeVec kids = {0};
    vec_push(k->a, &kids, put(k, k->where, before ? OP_MIN : OP_MAX, k->key));
    vec_push(k->a, &k->out, loop_without(k, guarded(k, &kids)));
    Expr *at = value(k, k->where), *some = op2(k, OP_NE, at, none);
    if (before) some = op2(k, OP_LAND, before, some);
    vec_push(k->a, &k->out, node_if(k->a, some, set_all(k, at, NULL), NULL));
}

Node *record_make(Record *r) {
    Make k = {.r = r, .a = r->a, .is_float = r->e && type_is_float(r->e->type)};
    k.places = r->e && (r->var.n > 1 || r->at < 0);
    Node *rest = loop_without(&k, node_seq(r->a, 0, NULL));
    if (!number_iterations(&k) || !is_apart(&k, rest) || (r->inside && !may_choose(r))) return NULL;
    if ((k.places || r->nan) && !can_repeat(&k, rest)) return NULL;
    if (!r->e) {
        one_of_them(&k);
    } else {
        if (r->nan) find_nan(&k);
        find_best(&k);
        if (k.places) find_place(&k);
        set_from_best(&k);
    }
    const Array *own[] = {k.best, k.where, k.nan, k.any};
    Node *n = seq(&k, &k.out);
    n->loc = r->loop->loc;
    n->locals = NEW_N(r->a, const Array *, 4);
    for (int j = 0; j < 4; j++)
        if (own[j]) n->locals[n->nlocals++] = own[j];
    return n;
}
