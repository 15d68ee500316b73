// SPDX-License-Identifier: MIT
// record.c -- the greatest and the least with their places, the last that fulfils a condition.
//
//   if (a[i] > m) { m = a[i]; k = i; }        if (a[i] == x) last = i;
//   if (a[i] > a[k]) k = i;                   found = a[i] == x ? 1 : found;
//   m = a[i] > m ? a[i] : m;  m = fmax(m, a[i]);   if (first < 0 && a[i] == x) first = i;
//   k = a[i] > m ? i : k;  m = a[i] > m ? a[i] : m;      one condition for both, a local perhaps
//
// Each iteration looks at what the one before has left, so the loop is serial as it is written. record_make.c
// writes such loops with reductions whose order does not matter. Of loops that stand in others those are
// looked at that walk a row of memory for the place of its best, and those that only steps stand around, each
// of which goes over the same elements (the greatest change of a relaxation): any else had better be one pass
// in a thread of its own.
#include "front/record.h"

typedef struct Finder {
    Normal *m;
    const Region *region;
    Record r;
    VEC(Node *) around; // loops, of rows in them
    int nsteps;         // of the first loops around: so many are steps, one after the other
    bool found;
    Node *made;
} Finder;

// ---- comparisons ----------------------------------------------------------------------------------
static bool names_any(const Record *r, const Expr *x) {
    for (int k = 0; k < r->var.n; k++)
        if (expr_may_read(x, r->var.at[k])) return true;
    return false;
}

// A double that is a float's value, or its size or opposite.
static bool is_float_in_double(const Expr *x) {
    if (x->kind == E_CAST) return x->type == T_F64 && x->args[0]->type == T_F32;
    bool same = (x->kind == E_CALL && str_eq(x->fn, "fabs")) || (x->kind == E_OP && x->op == OP_NEG);
    return same && is_float_in_double(x->args[0]);
}

// Does x compare as `value` does, which is assigned to v?
static bool is_same_value(Arena *a, const Array *v, Expr *x, Expr *value) {
    if (x->type == v->elem) return expr_equal(x, value);
    bool wide = x->type == T_F64 && v->elem == T_F32 && is_float_in_double(x);
    bool whole = type_is_int(x->type) && type_is_int(v->elem) && x->kind == E_CAST &&
                 x->args[0]->type == v->elem && type_size(x->type) > type_size(v->elem);
    return wide ? expr_equal(expr_cast(a, T_F32, x), value) : whole && expr_equal(x->args[0], value);
}

static bool is_best(const Expr *now, const Expr *x) {
    bool wider = x->kind == E_CAST && type_size(x->type) > type_size(now->type) &&
                 type_is_float(x->type) == type_is_float(now->type);
    return expr_equal(wider ? x->args[0] : x, now);
}

static void set_form(Record *r, Op op, bool negated) {
    bool greater = op == OP_GT || op == OP_GE;
    r->op = greater != negated ? OP_MAX : OP_MIN;
    r->equal = (op == OP_GE || op == OP_LE) != negated;
    r->nan = negated;
}

// Which place is kept, a[i] > a[k] with k = i: the scalar's number; -1: it is none.
static int kept_place(const Record *r, Expr *e, Expr *best) {
    for (int k = 0; k < r->value.n; k++) {
        Expr *i = r->value.at[k];
        while (i->kind == E_CAST && type_is_int(i->type) && type_is_int(i->args[0]->type) &&
               type_size(i->type) >= 4) // index arithmetic: it keeps the value
            i = i->args[0];
        if (i->kind != E_SYM || i->sym->kind != SYM_ITER || !expr_has_load(e)) continue;
        Expr *now = r->now.at[k];
        if (now->type == i->type && expr_equal(expr_subst(r->a, e, 1, &i->sym, &now), best)) return k;
    }
    return -1;
}

static bool compare(Record *r, Expr *c, bool negated) {
    if (c->kind == E_OP && c->op == OP_LNOT) return compare(r, c->args[0], !negated);
    if (c->kind != E_OP || c->op < OP_LT || c->op > OP_GE) return false;
    bool right = names_any(r, c->args[1]);
    Expr *e = c->args[right ? 0 : 1], *best = c->args[right ? 1 : 0];
    if (names_any(r, e)) return false;
    set_form(r, right ? c->op : op_mirrored(c->op), negated);
    r->at = -1;
    for (int k = 0; k < r->var.n; k++)
        if (is_best(r->now.at[k], best) && is_same_value(r->a, r->var.at[k], e, r->value.at[k])) r->at = k;
    if (r->at < 0 && kept_place(r, e, best) < 0) return false;
    r->e = r->at < 0 ? e : r->value.at[r->at];
    r->start = r->at < 0 ? best : r->now.at[r->at];
    r->nan = r->nan && type_is_float(r->e->type);
    return true;
}

// v < 0 or v == -1, where v is set to a counter from 0 on: it does not hold again.
static bool is_before(const Record *r, const Expr *c) {
    bool one = r->var.n == 1 && !r->before && c->kind == E_OP && c->nargs == 2 && c->args[1]->kind == E_INT;
    if (!one || !type_is_int(r->var.at[0]->elem) || !expr_equal(c->args[0], r->now.at[0])) return false;
    const Expr *i = r->value.at[0];
    while (i->kind == E_CAST && type_size(i->type) >= type_size(i->args[0]->type) && type_is_signed(i->type))
        i = i->args[0];
    const Node *l = NULL;
    for (int k = 0; k < r->loops.n; k++)
        if (i->kind == E_SYM && i->sym == r->loops.at[k]->iter) l = r->loops.at[k];
    int64_t bound = c->args[1]->i;
    if (!l || l->step < 0 || l->lo->kind != E_INT || !type_is_signed(i->type)) return false;
    return c->op == OP_LT ? bound <= l->lo->i : (c->op == OP_LE || c->op == OP_EQ) && bound < l->lo->i;
}

// What was not asked behind the first is asked now, so it must be there, and end nothing.
static bool is_unsafe(const Expr *x) {
    bool divides = x->kind == E_OP && (x->op == OP_DIV || x->op == OP_MOD) && !type_is_float(x->type);
    int64_t by;
    divides = divides && (!is_literal_int(x->args[1], &by) || by == 0 || by == -1);
    return divides || (x->kind == E_LOAD && !x->array->constant_size);
}

static bool is_safe(const Expr *x) { return !expr_any(x, is_unsafe); }

// The operands of && in order: those that name no scalar are the guard, the last one may compare.
static bool take_condition(Record *r, Expr *c, bool last) {
    if (c->kind == E_OP && c->op == OP_LAND)
        return take_condition(r, c->args[0], last && !expr_has_load(c->args[1])) &&
               take_condition(r, c->args[1], last);
    if (is_before(r, c)) return r->before = c, true;
    if (names_any(r, c)) return last && !r->e && compare(r, c, false);
    r->guard = r->guard ? expr_op(r->a, OP_LAND, r->guard, c, NULL) : c;
    return true;
}

// ---- assignments ------------------------------------------------------------------------------------
static bool add_assignment(Record *r, const Node *n) {
    if (n->kind == N_SEQ) {
        bool ok = !n->nlocals;
        for (int k = 0; k < n->nkids; k++) ok = ok && add_assignment(r, n->kids[k]);
        return ok;
    }
    bool sets = n->kind == N_STMT && n->stmt->op == OP_SET && !n->stmt->atomic;
    if (!sets || has_array(&r->var, n->stmt->lhs)) return false;
    for (int k = 0; k < n->stmt->lhs->rank; k++)
        if (expr_varies(n->stmt->sub[k])) return false;
    vec_push(r->a, &r->var, n->stmt->lhs);
    vec_push(r->a, &r->now, expr_load(r->a, n->stmt->lhs, n->stmt->sub));
    vec_push(r->a, &r->value, n->stmt->rhs);
    return true;
}

static bool values_are_free(const Record *r) {
    for (int k = 0; k < r->value.n; k++)
        if (names_any(r, r->value.at[k])) return false;
    return true;
}

static bool match_if(Record *r, Node *n) {
    return !n->other && add_assignment(r, n->then) && r->var.n && take_condition(r, n->cond, true) &&
           values_are_free(r) && (!r->before || (!r->e && is_safe(r->guard)));
}

static bool match_choice(Record *r, Expr *x) {
    const Expr *now = r->now.at[0];
    bool keeps = expr_equal(x->args[1], now);
    if (!keeps && !expr_equal(x->args[2], now)) return false;
    r->value.at[0] = x->args[keeps ? 2 : 1];
    if (!names_any(r, x->args[0])) {
        r->guard = keeps ? expr_op(r->a, OP_LNOT, x->args[0], NULL, NULL) : x->args[0];
        return true;
    }
    return keeps ? compare(r, x->args[0], true) : take_condition(r, x->args[0], true);
}

static bool match_two(Record *r, Expr *x, bool call) {
    bool first = expr_equal(x->args[0], r->now.at[0]);
    if (!first && !expr_equal(x->args[1], r->now.at[0])) return false;
    r->at = 0;
    r->e = r->value.at[0] = x->args[first ? 1 : 0];
    r->start = x->args[first ? 0 : 1];
    r->quiet = call;
    r->op = call ? (str_has_prefix(x->fn, "fmax") ? OP_MAX : OP_MIN) : x->op;
    r->equal = r->nan = !call && !first; // max(e, m) is m > e ? m : e
    return true;
}

static bool match_stmt(Record *r, Node *n) {
    if (!add_assignment(r, n)) return false;
    Expr *x = n->stmt->rhs;
    bool call = x->kind == E_CALL && (str_has_prefix(x->fn, "fmax") || str_has_prefix(x->fn, "fmin"));
    bool two = x->kind == E_OP && (x->op == OP_MIN || x->op == OP_MAX);
    bool choice = x->kind == E_OP && x->op == OP_SELECT;
    if (!call && !two && !choice) return false;
    return (choice ? match_choice(r, x) : match_two(r, x, call)) && values_are_free(r);
}

// ---- several choices by one condition -------------------------------------------------------------------
typedef struct Choices {
    Record *r;
    ArrayVec local;    // of the block
    ExprVec is;        // what it was set to, before anything was chosen
    Expr *cond;        // of all choices
    bool keeps;        // it says when the old values stay
} Choices;

static Expr *told(Expr *x, void *arg) {
    const Choices *c = arg;
    for (int k = 0; x->kind == E_LOAD && k < c->local.n; k++)
        if (x->array == c->local.at[k]) return c->is.at[k];
    return expr_map(c->r->a, x, told, arg);
}

// The comparison in (int)(a < b) != 0.
static Expr *truth(Expr *x) {
    Expr *t = x;
    while ((t->kind == E_CAST && type_is_int(t->type)) ||
           (t->kind == E_OP && t->op == OP_NE && expr_is_int(t->args[1], 0)))
        t = t->args[0];
    bool compares = t->kind == E_OP && t->op >= OP_LT && t->op <= OP_NE;
    return compares || (t->kind == E_OP && (t->op == OP_LAND || t->op == OP_LOR)) ? t : x;
}

// max(p, q) as q > p ? q : p.
static Expr *as_choice(Arena *a, Expr *x) {
    bool two = x->kind == E_OP && (x->op == OP_MIN || x->op == OP_MAX);
    if (!two) return x;
    Expr *p = x->args[0], *q = x->args[1];
    return expr_op(a, OP_SELECT, expr_op(a, x->op == OP_MAX ? OP_GT : OP_LT, q, p, NULL), q, p);
}

// x, the greater or lesser of two integers: the one that takes the place of `now` where the condition of the
// choices so far holds; NULL: it is another choice. Equal ones may take each other's.
static Expr *chosen(const Choices *c, const Expr *x, const Expr *now) {
    bool two = x->kind == E_OP && (x->op == OP_MIN || x->op == OP_MAX) && type_is_int(x->type);
    if (!two || c->cond->kind != E_OP || c->cond->op < OP_LT || c->cond->op > OP_GE) return NULL;
    Expr *e = told(x->args[expr_equal(x->args[0], now)], (void *)c);
    Expr *l = c->cond->args[0], *r = c->cond->args[1];
    bool left = expr_equal(l, e) && expr_equal(r, now), right = expr_equal(l, now) && expr_equal(r, e);
    Op op = left ? c->cond->op : op_mirrored(c->cond->op);
    bool greater = (op == OP_GT || op == OP_GE) != c->keeps;
    return (left || right) && greater == (x->op == OP_MAX) ? e : NULL;
}

static bool add_choice(Choices *c, Node *n) {
    Record *r = c->r;
    Node *set = n->kind == N_IF && !n->other ? n->then : n;
    while (set->kind == N_SEQ && set->nkids == 1 && !set->nlocals) set = set->kids[0];
    if (set->kind != N_STMT || !add_assignment(r, set)) return false;
    int k = r->var.n - 1;
    Expr *x = r->value.at[k], *now = r->now.at[k], *cond = n->kind == N_IF ? n->cond : NULL;
    Expr *whole = cond || !k ? NULL : chosen(c, x, now);
    if (whole) return r->value.at[k] = whole, true;
    if (!cond) x = as_choice(r->a, x);
    bool chooses = x->kind == E_OP && x->op == OP_SELECT;
    bool keeps = !cond && chooses && expr_equal(x->args[1], now);
    if (!cond && !keeps && !(chooses && expr_equal(x->args[2], now))) return false;
    if (!cond) cond = x->args[0], x = x->args[keeps ? 2 : 1];
    r->value.at[k] = told(x, c);
    cond = truth(told(cond, c));
    if (k && (keeps != c->keeps || !expr_equal(cond, c->cond))) return false;
    c->cond = cond;
    c->keeps = keeps;
    return true;
}

static bool add_local(Choices *c, const Node *n, const Node *block) {
    bool own = false;
    for (int k = 0; n->kind == N_STMT && k < block->nlocals; k++) own |= block->locals[k] == n->stmt->lhs;
    if (!own || n->stmt->op != OP_SET || n->stmt->atomic || n->stmt->lhs->rank || c->r->var.n ||
        has_array(&c->local, n->stmt->lhs))
        return false;
    vec_push(c->r->a, &c->is, told(n->stmt->rhs, c));
    vec_push(c->r->a, &c->local, n->stmt->lhs);
    return true;
}

// A block that is nothing else. What the condition reads is chosen last.
static bool match_choices(Record *r, const Node *block) {
    Choices c = {.r = r};
    for (int k = 0; k < block->nkids; k++)
        if (!add_local(&c, block->kids[k], block) && !add_choice(&c, block->kids[k])) return false;
    if (r->var.n < 2) return false;
    for (int k = 0; k + 1 < r->var.n; k++)
        if (expr_may_read(c.cond, r->var.at[k])) return false;
    return (c.keeps ? compare(r, c.cond, true) : take_condition(r, c.cond, true)) && values_are_free(r) &&
           !r->before;
}

static Expr *told_there(Rebuild *b, Expr *x) { return x->kind == E_LOAD ? told(x, b->self) : x; }

// A block that computes what it compares, and what it keeps: d = x[i] - y; if (d < m) { m = d; k = i; }
static bool match_told(Record *r, const Node *block) {
    Choices c = {.r = r};
    int k = 0;
    while (k < block->nkids && add_local(&c, block->kids[k], block)) k++;
    if (!k || k + 1 != block->nkids || block->kids[k]->kind != N_IF) return false;
    Rebuild b = {.a = r->a, .expr = told_there, .self = &c};
    return match_if(r, rebuild_node(&b, block->kids[k]));
}

// ---- places -----------------------------------------------------------------------------------------
static bool permitted(const Finder *f, const Record *r) {
    if (f->region->reassociate) return true;
    for (int j = 0; j < r->loops.n; j++)
        if (mark_permits(r->loops.at[j]->mark, r->var.at[0])) return true;
    return false;
}

// Is it a reduction already (update.c)?
static bool is_plain(const Finder *f, const Record *r) {
    bool alone = r->e && r->at == 0 && r->var.n == 1;
    return alone && (type_is_int(r->e->type) || permitted(f, r));
}

// A mark that vouches for the loop vouches for what it sets, too, unless it names it.
static bool is_asked(const Record *r) {
    return !mark_vouches(r->loop->mark) || mark_permits(r->loop->mark, r->var.at[0]);
}

static void look(Finder *f, Node *n) {
    if (!n || f->found) return;
    if (n->kind == N_FOR) vec_push(f->m->a, &f->r.loops, n);
    if (n->kind == N_STMT || n->kind == N_IF || n->kind == N_SEQ) {
        Record r = f->r;
        r.m = f->m, r.a = f->m->a, r.place = n, r.at = -1;
        Record fresh = r;
        bool fits = n->kind == N_IF    ? match_if(&r, n)
                    : n->kind == N_SEQ ? match_choices(&r, n)
                                       : match_stmt(&r, n);
        if (!fits && n->kind == N_SEQ) r = fresh, fits = match_told(&r, n);
        if (fits && r.inside && f->nsteps < f->around.n) fits = r.at < 0 || r.var.n > 1; // of a row: a place
        if (fits && is_asked(&r) && !is_plain(f, &r)) {
            f->made = record_make(&r);
            f->found = f->made != NULL;
        }
    }
    for (int k = 0; n->kind == N_SEQ && k < n->nkids; k++) look(f, n->kids[k]);
    if (n->kind == N_FOR) look(f, n->body);
    if (n->kind == N_IF) {
        look(f, n->then);
        look(f, n->other);
    }
    if (n->kind == N_FOR) f->r.loops.n--;
}

static bool is_for(const Node *n) { return n->kind == N_FOR; }

// Is there a load whose last subscript moves with the counter; one of which another subscript does; one that
// moves with a loop around as well?
typedef struct Along {
    const Sym *iter;
    int naround;
    Node *const *around;
    bool found, other, own;
} Along;

static void see_along(const Expr *x, Along *w) {
    bool moves = false;
    for (int d = 0; x->kind == E_LOAD && d < x->nargs; d++) {
        bool here = expr_uses_sym(x->args[d], w->iter);
        *(d == x->nargs - 1 ? &w->found : &w->other) |= here;
        moves |= here;
    }
    for (int k = 0; moves && k < w->naround; k++) w->own |= expr_uses_sym(x, w->around[k]->iter);
}

// Is what the loop compares made of an element of a row of memory, or, where it has a name, of one of a row
// of its own alone? Of few iterations one thread had better make all, and of what all results compare each
// had better make its own.
static bool walks_row(const Finder *f, Node *loop) {
    enum { FEW = 64 };
    int64_t trips = loop_literal_trips(loop->lo, loop->hi, loop->step);
    bool few = trips >= 0 && trips < FEW;
    if (few || node_any(loop->body, is_for) || mark_vouches(loop->mark)) return false;
    Along w = {.iter = loop->iter, .naround = f->around.n, .around = f->around.at};
    Node *place = loop->body;
    while (place->kind == N_SEQ && place->nkids == 1) place = place->kids[0];
    bool asks = place->kind == N_IF;
    expr_each(x, asks ? place->cond : NULL) see_along(x, &w);
    node_each(n, asks ? NULL : place)
        node_each_expr(x, n) see_along(x, &w);
    return w.found && (asks || (w.own && !w.other));
}

// Is it more than an update of its element?
static bool is_no_update(const Stmt *s) {
    bool own = s->op != OP_SET, other = false;
    expr_each(x, s->rhs) {
        if (x->kind != E_LOAD || x->array != s->lhs) continue;
        bool same = true;
        for (int d = 0; d < x->nargs; d++) same = same && expr_equal(x->args[d], s->sub[d]);
        *(same ? &own : &other) = true;
    }
    return !own || other;
}

// Does each iteration set elements again that the one before has set, and that it reads? Then none of them is
// free of the others.
static bool is_step(Arena *a, Node *loop) {
    node_each(n, loop->body) {
        const Array *x = n->kind == N_STMT ? n->stmt->lhs : NULL;
        bool same = x && x->rank && is_no_update(n->stmt) && !mark_vouches(loop->mark);
        for (int d = 0; same && d < x->rank; d++)
            same = !expr_uses_sym(n->stmt->sub[d], loop->iter) && !expr_has_load(n->stmt->sub[d]);
        if (same && node_exposed(a, loop->body, x)) return true;
    }
    return false;
}

// Rows in other loops, and what is inside of steps, whose scalars begin beside them.
static void look_inside(Finder *f, Node *n) {
    for (int k = 0; n->kind == N_SEQ && k < n->nkids && !f->found; k++) {
        Node *loop = n->kids[k];
        bool steps = f->nsteps == f->around.n && !mark_vouches(loop->mark);
        if (k > 0 && is_for(loop) && (steps || walks_row(f, loop)))
            f->r.loop = loop, f->r.inside = true, look(f, loop);
        if (!f->found) look_inside(f, loop);
    }
    if (n->kind != N_FOR) return;
    bool step = f->nsteps == f->around.n && is_step(f->m->a, n);
    vec_push(f->m->a, &f->around, n);
    f->nsteps += step;
    look_inside(f, n->body);
    f->nsteps -= step;
    f->around.n--;
}

static void look_outside(Finder *f, Node *n) {
    for (int k = 0; n->kind == N_SEQ && k < n->nkids && !f->found; k++) look_outside(f, n->kids[k]);
    if (n->kind == N_IF && !expr_varies(n->cond)) look_outside(f, n->then);
    if (n->kind != N_FOR) return;
    f->r.loop = n, look(f, n);
    if (!f->found) look_inside(f, n);
}

Region *pass_record(Normal *m, Region *r) {
    bool any = false;
    if (m->c->in_order) return r;
    for (;;) {
        Finder f = {.m = m, .region = r};
        look_outside(&f, r->root);
        if (!f.found) return any ? pass_subst(m, r) : r;
        any = true;
        r = region_with(m, r, node_replace(m->a, r->root, f.r.loop, f.made));
    }
}
