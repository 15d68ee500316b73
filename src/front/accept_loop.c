// SPDX-License-Identifier: MIT
// accept_loop.c -- for loops: counter, bounds, step.
//
//   for (i = lo; i < hi; i += step)    i is the variable that the step changes and the
//   for (...; hi >= i + 1; i -= 2)     condition compares with something that stays
//   for (i = n; i-- > 0;)
#include "front/accept.h"
#include "front/normal.h"
#include "ir/value.h"

// A loop's header as written.
typedef struct Header {
    const Decl *counter;
    const Ast *change;     // the expression that steps the counter
    const Ast *side;       // the side of the condition that the counter is on,
    const Ast *other;      // and the other one; NULL: zero
    Op op;                 // with the counter on the left: < <= > >= !=
    bool behind;           // the condition itself steps the counter, when it has compared it: i-- > 0
    const Ast *lo;         // NULL: where the counter stands
    int64_t step;          // 0: `by` says it
    const Ast *by;         // a step that is not constant,
    bool minus;            // subtracted instead of added
} Header;

enum { MAX_PARTS = 8, LONGEST_UNROLLED = 1024, NEAR = 1 << 16 };

// The operands of a comma operator, in order.
static int parts(const Ast *e, const Ast *out[], int n) {
    if (!e || n >= MAX_PARTS)
        return n;
    if (e->kind == A_EXPR)
        return parts(e->kids[0], out, n);
    if (e->kind == A_COMMA)
        return parts(e->kids[1], out, parts(e->kids[0], out, n));
    out[n] = e;
    return n + 1;
}

static const Decl *changed_by(const Ast *e) {
    bool changes = e->kind == A_ASSIGN || e->kind == A_INCDEC;
    return changes && e->kids[0]->kind == A_REF ? e->kids[0]->decl : NULL;
}

// A literal by which the condition multiplies its counter; 0: none.
static int64_t factor(const Ast *e) {
    const Ast *c = accept_strip(e);
    return c->kind == A_INT && c->i > 0 && c->i < NEAR ? c->i : 0;
}

// May the counter stand in operand k of that sum or product?
static bool may_count(const Ast *e, int k) {
    bool sum = e->op == OP_ADD || e->op == OP_SUB, product = e->op == OP_MUL;
    return sum ? k == 0 || e->op == OP_ADD : product && factor(e->kids[1 - k]);
}

// The variable that the loop steps in i, i + m - 1, m + (long) i, 2 * i + 1, and how it is stepped.
static const Decl *counter_in(const Ast *f, const Ast *e, const Ast **change) {
    const Ast *incs[MAX_PARTS];
    const Decl *found = NULL;
    e = accept_strip(e);
    for (int k = 0; e->kind == A_BINARY && k < 2 && !found; k++)
        if (may_count(e, k)) found = counter_in(f, e->kids[k], change);
    if (e->kind != A_REF) return found;
    for (int k = parts(f->kids[2], incs, 0) - 1; k >= 0; k--)
        if (changed_by(incs[k]) == e->decl) return *change = incs[k], e->decl;
    return NULL;
}

// Its operand of a sum or product, -1 where there is none.
static int counter_side(const Ast *f, const Ast *e) {
    const Ast *change;
    for (int k = 0; k < 2; k++)
        if (may_count(e, k) && counter_in(f, e->kids[k], &change)) return k;
    return -1;
}

// The counter on one side of the condition; false: it is not on this one.
static bool read_side(const Ast *f, const Ast *side, Header *h) {
    const Ast *e = accept_strip(side);
    h->behind = e->kind == A_INCDEC && e->postfix;
    h->change = h->behind ? e : NULL;
    h->counter = h->behind ? changed_by(e) : counter_in(f, side, &h->change);
    h->side = side;
    return h->counter && h->change;
}

// Counter and condition; false: nothing is counted.
static bool read_test(const Ast *f, Header *h) {
    const Ast *c = f->kids[1] ? accept_strip(f->kids[1]) : NULL;
    *h = (Header){.op = OP_NE};
    if (!c)
        return false;
    if (c->kind != A_BINARY || c->nkids != 2)
        return (c->kind == A_INCDEC || c->kind == A_REF) && read_side(f, c, h);
    bool left = read_side(f, c->kids[0], h);
    if (!left && !read_side(f, c->kids[1], h))
        return false;
    h->op = left ? c->op : op_mirrored(c->op);
    h->other = c->kids[left ? 1 : 0];
    return true;
}

static bool not_whole(Accept *ac, Loc loc) {
    return accept_refuse(ac, SC_LOOP_FORM, loc, "the condition must compare the counter with an "
                         "integer bound, as in i < n");
}

// Does the condition see the counter whole? (char)i < n does not.
static bool is_whole(const Ast *f, const Ast *side) {
    for (const Ast *e = side; e->kind == A_CAST; e = e->kids[0])
        if (e->type->kind != CT_SCALAR || e->type->bytes < e->kids[0]->type->bytes)
            return false;
    const Ast *e = accept_strip(side);
    return e->kind != A_BINARY || is_whole(f, e->kids[counter_side(f, e)]);
}

static bool check_test(Accept *ac, const Ast *f, const Header *h) {
    bool ok = h->op == OP_LT || h->op == OP_LE || h->op == OP_GT || h->op == OP_GE || h->op == OP_NE;
    const CType *t = h->other ? h->other->type : h->counter->type;
    ok = ok && t->kind == CT_SCALAR && (type_is_int(t->scalar) || t->scalar == T_F64);
    return (ok && is_whole(f, h->side)) || not_whole(ac, f->kids[1]->loc);
}

const Decl *accept_counter(const Ast *f) {
    Header h;
    bool minus;
    if (!read_test(f, &h)) return NULL;
    Op op = h.change->op;
    bool adds = op == OP_ADD || op == OP_SUB;
    adds = adds || (op == OP_SET && accept_distance(h.change->kids[1], h.counter, &minus));
    return adds ? h.counter : NULL;
}

static bool read_step(Accept *ac, Header *h) {
    const Ast *e = h->change, *by = NULL;
    h->minus = e->op == OP_SUB;
    if (e->kind == A_INCDEC) {
        h->step = h->minus ? -1 : 1;
        return true;
    }
    if (e->op == OP_ADD || e->op == OP_SUB)
        by = e->kids[1];
    else if (e->op == OP_SET)
        by = accept_distance(e->kids[1], h->counter, &h->minus);
    const Ast *c = by ? accept_strip(by) : NULL;
    if (c && c->kind == A_INT && c->i != 0 && c->i > -(1 << 30) && c->i < (1 << 30)) {
        h->step = h->minus ? -c->i : c->i;
        return true;
    }
    h->by = by;
    bool whole = by && by->type->kind == CT_SCALAR && type_is_int(by->type->scalar);
    if (!whole || (c->kind == A_INT && c->i <= 0))
        return accept_refuse(ac, SC_LOOP_FORM, e->loc, "the step must add or subtract a constant, as "
                             "in i += 2");
    return true;
}

static bool read_header(Accept *ac, const Ast *f, Header *h) {
    if (!read_test(f, h))
        return accept_refuse(ac, SC_LOOP_FORM, f->loc, "the loop must count one variable: for (i = lo; "
                             "i < hi; i += step)");
    const CType *t = h->counter->type;
    if (t->kind == CT_POINTER)
        return accept_refuse(ac, SC_LOOP_FORM, f->loc,
                             "the counter '%s' is a pointer whose loop's length "
                             "can't be told; count with an integer, as in for (i = 0; i < n; i++)",
                             h->counter->name);
    if (t->kind != CT_SCALAR || !type_is_int(t->scalar) || t->scalar == T_BOOL)
        return accept_refuse(ac, SC_LOOP_FORM, f->loc, "the counter '%s' must be an integer",
                             h->counter->name);
    if (!accept_type_ok(ac, t, f->loc))
        return false;
    const Ast *incs[MAX_PARTS];
    int n = parts(f->kids[2], incs, 0), changes = h->behind;
    for (int k = 0; k < n; k++)
        changes += changed_by(incs[k]) == h->counter;
    if (changes != 1)
        return accept_refuse(ac, SC_LOOP_FORM, f->loc, "'%s' is changed twice in the step",
                             h->counter->name);
    return read_step(ac, h) && check_test(ac, f, h);
}

// ---- bounds -------------------------------------------------------------------------------------
// C computes with small integers as int.
static Type promoted(Type t) { return type_size(t) < 4 ? T_I32 : t; }

// The type in which the condition compares; T_F64: in floating point.
static Type compared_type(const Header *h) {
    return promoted(h->other ? h->other->type->scalar : h->counter->type->scalar);
}

// Outside of int, or so near to its ends that no bound of a region may lie there (run/narrow.c).
static bool is_large(const Expr *x) {
    return x->kind == E_INT && (x->i <= INT32_MIN + NEAR || x->i >= INT32_MAX - NEAR);
}

static bool is_element(const Expr *x) { return x->kind == E_LOAD && x->nargs > 0; }

// The type of the loop's own counter, which is signed, so that nothing about it wraps: how often
// an empty loop runs, or one that ends at zero. Whether bounds are too large for it is seen at run
// time (run/narrow.c). Bounds that are read from memory are not seen there; they are compared as C
// compares them. Variables may turn out to be either.
static Type counting_type(const Accept *ac, const Header *h, const Expr *lo, const Expr *hi) {
    Type own = promoted(h->counter->type->scalar), as = compared_type(h);
    bool memory = expr_any(lo, is_element) || expr_any(hi, is_element);
    if (as == T_F64)
        as = own;
    if (ac->kernel || (!expr_has_load(lo) && !expr_has_load(hi))) // a kernel's launch bounds its counters
        return type_size(own) == 8 || is_large(lo) || is_large(hi) ? T_I64 : T_I32;
    if (own == as && type_is_signed(own)) return is_large(lo) || is_large(hi) ? T_I64 : own;
    if (!memory || h->behind || (own == T_U32 && (h->op == OP_LE || h->op == OP_GE)))
        return T_I64;
    return own == as ? own : own == T_U64 || as == T_U64 ? T_U64 : T_I64;
}

// Statements of the init part, but for the counter's own.
static bool read_init(Accept *ac, const Ast *f, Header *h) {
    const Ast *init = f->kids[0], *list[MAX_PARTS];
    if (!init || init->kind == A_EMPTY)
        return true;
    for (int k = 0; init->kind == A_DECLS && k < init->ndecls; k++) {
        if (init->decls[k] == h->counter)
            h->lo = init->decls[k]->init;
        else if (!accept_decl(ac, init->decls[k]))
            return false;
    }
    int n = init->kind == A_DECLS ? 0 : parts(init, list, 0);
    for (int k = 0; k < n; k++) {
        bool own = changed_by(list[k]) == h->counter;
        if (own && (list[k]->kind != A_ASSIGN || list[k]->op != OP_SET || h->lo))
            return accept_refuse(ac, SC_LOOP_FORM, f->loc, "the loop must begin with %s = something",
                                 h->counter->name);
        if (own)
            h->lo = list[k]->kids[1];
        else if (!accept_effect(ac, list[k]) || !accept_after(ac))
            return false;
    }
    return true;
}

// The counter starts where it stands: as the program left it before the region.
static Expr *standing(Accept *ac, const Ast *f, const Header *h) {
    const Decl *d = h->counter;
    const Final *now = accept_final(ac, d);
    if (now && now->known && !now->guard)
        return now->value;
    bool outside = true;
    for (int k = 0; k < ac->ra->nstmts; k++)
        outside &= !accept_declares(ac->ra->stmts[k], d);
    Ref r;
    if (accept_has_decl(&ac->writes.vars, d) && accept_place(ac, h->change->kids[0], &r))
        return accept_freeze(ac, accept_load(ac, &r, f->loc));
    if (now || !outside || ac->iters.n || ac->guarded || !accept_variable(ac, d, f->loc, &r))
        return accept_refuse(ac, SC_LOOP_FORM, f->loc, "the value with which '%s' begins can't be told; "
                             "set it in the loop's header", d->name);
    return accept_held(ac, d, accept_param(ac, d->name, d->name, d->type->scalar));
}

// ceil(hi / by) of by * i < hi, floor(hi / by) of by * i <= hi.
static Expr *divided(Accept *ac, const Header *h, Expr *hi, int64_t by) {
    bool up = h->op == OP_LT || h->op == OP_GE;
    if (up) hi = expr_add(ac->a, hi, expr_int(ac->a, hi->type, by - 1));
    return expr_op(ac->a, OP_FDIV, hi, expr_int(ac->a, hi->type, by), NULL);
}

// hi of i + e < hi, e + i < hi, 2 * i < hi goes to the other side.
static Expr *moved(Accept *ac, const Ast *f, const Header *h, Type t, Expr *hi) {
    hi = accept_convert(ac, t, hi);
    for (const Ast *e = accept_strip(h->side); hi && e->kind == A_BINARY;) {
        int side = counter_side(f, e);
        Expr *x = accept_convert(ac, t, accept_value(ac, e->kids[1 - side]));
        bool wraps = !type_is_signed(e->type->scalar); // a difference, or what begins below zero
        bool odd = e->op == OP_SUB || type_is_signed(h->counter->type->scalar) || e != accept_strip(h->side);
        bool product = e->op == OP_MUL;
        if (!x || (wraps && (odd || product)) || (product && (h->op == OP_NE || !type_is_signed(t))))
            return accept_refuse(ac, SC_LOOP_FORM, e->loc, "arithmetic on an unsigned counter in the "
                                 "condition; compare the counter alone");
        if (!type_is_signed(t) && e->op == OP_ADD)
            hi = expr_op(ac->a, OP_MAX, hi, x, NULL);
        hi = product ? divided(ac, h, hi, factor(e->kids[1 - side]))
                     : e->op == OP_SUB ? expr_add(ac->a, hi, x) : expr_sub(ac->a, hi, x);
        e = accept_strip(e->kids[side]);
    }
    return hi;
}

// for (i = n - 1; i < n; i--) of an unsigned counter: all that is below zero is above n.
static bool ends_below_zero(const Header *h) {
    Type own = h->counter->type->scalar;
    return !type_is_signed(own) && type_size(own) >= 4 && h->step < 0 && !h->behind &&
           (h->op == OP_LT || h->op == OP_LE) && accept_strip(h->side)->kind != A_BINARY;
}

// A signed counter in an unsigned comparison: what is below zero is above all else.
static bool below_is_above(const Header *h) {
    Type as = compared_type(h);
    return type_is_signed(h->counter->type->scalar) && type_is_int(as) && !type_is_signed(as);
}

static Expr *exclusive(Accept *ac, const Ast *f, const Header *h, Expr *hi) {
    bool up = h->by ? !h->minus : h->step > 0;
    bool fits = h->op == OP_NE ? h->step != 0 : up == (h->op == OP_LT || h->op == OP_LE);
    bool round =
        below_is_above(h) && type_size(h->counter->type->scalar) < 4 && (h->op == OP_GT || h->op == OP_GE);
    if (round || (!fits && !ends_below_zero(h)))
        return accept_refuse(ac, SC_LOOP_FORM, f->loc, "the step and the condition of the loop don't "
                             "meet");
    Expr *one = expr_int(ac->a, hi->type, 1);
    return h->op == OP_LE ? expr_add(ac->a, hi, one) : h->op == OP_GE ? expr_sub(ac->a, hi, one) : hi;
}

// Do all values of the counter's type meet the condition?
static bool never_ends(const Header *h, const Expr *hi) {
    Type own = h->counter->type->scalar;
    int64_t v = hi->type == T_U64 && hi->i < 0 ? INT64_MAX : hi->i;
    if (hi->kind != E_INT || !type_is_int(compared_type(h)) || below_is_above(h) ||
        accept_strip(h->side)->kind == A_BINARY)
        return false;
    if (own == T_U64) return h->op == OP_LE ? hi->i == -1 /* 2^64 - 1 */ : h->op == OP_GE && hi->i == 0;
    switch (h->op) {
    case OP_LT: return v > type_most(own);
    case OP_LE: return v >= type_most(own);
    case OP_GT: return v < type_least(own);
    case OP_GE: return v <= type_least(own);
    default: return v < type_least(own) || v > type_most(own);
    }
}

// 2^63 and more: counters are signed here.
static bool is_beyond(const Expr *x) { return x->kind == E_INT && x->type == T_U64 && x->i < 0; }

// Where counting down ends below zero, all that is beyond is as far off.
static bool counts_beyond(const Header *h, const Expr *lo, const Expr *hi) {
    bool down = h->step < 0 && (h->op == OP_NE || ends_below_zero(h));
    return is_beyond(lo) || (is_beyond(hi) && !down);
}

// A value that a loop begins or ends with.
static Expr *outside(Accept *ac, const Ast *e) {
    bool before = ac->bounding;
    ac->bounding = true;
    Expr *x = accept_value(ac, e);
    ac->bounding = before;
    return x;
}

// The bound in the type that it is compared in.
static Expr *bound(Accept *ac, const Ast *f, const Header *h) {
    int nodes = ac->block->nodes.n;
    Expr *hi = h->other ? outside(ac, h->other) : expr_int(ac->a, h->counter->type->scalar, 0);
    if (hi && type_is_float(hi->type)) {
        hi = accept_whole(ac->a, hi);
        if (!hi)
            not_whole(ac, f->kids[1]->loc);
    }
    if (hi && (ac->block->nodes.n != nodes || ac->after.n))
        return accept_refuse(ac, SC_LOOP_FORM, f->loc, "the loop's bound is computed by statements; put "
                             "it into a variable before the loop");
    if (hi && never_ends(h, hi))
        return accept_refuse(ac, SC_LOOP_FORM, f->loc, "this loop never ends: all values of its counter "
                             "meet the condition");
    return hi;
}

// Going up such a counter runs only where it isn't negative.
static bool needs_sign_check(const Header *h, const Expr *lo) {
    return below_is_above(h) && (h->op == OP_LT || h->op == OP_LE) && !(lo->kind == E_INT && lo->i >= 0);
}

// ---- the body -------------------------------------------------------------------------------------
static bool changes_bound(const Node *body, const Expr *bound) {
    node_each(n, body)
        if (n->kind == N_STMT && expr_may_read(bound, n->stmt->lhs)) return true;
    return false;
}

// Steps of other variables follow the body.
static bool read_other_steps(Accept *ac, const Ast *f, const Header *h) {
    const Ast *incs[MAX_PARTS];
    int n = parts(f->kids[2], incs, 0);
    for (int k = 0; k < n; k++)
        if (changed_by(incs[k]) != h->counter && (!accept_effect(ac, incs[k]) || !accept_after(ac)))
            return false;
    return true;
}

static void forget_pointers(Accept *ac, const Ast *body) {
    Writes w = {0};
    accept_scan(ac->a, body, &w);
    for (int k = 0; k < w.pointers.n; k++) {
        accept_bind(ac, w.pointers.at[k], BIND_GONE, NULL, NULL);
        ac->env.at[ac->env.n - 1].again = true;
    }
}

static Node *read_body(Accept *ac, const Ast *f, const Header *h, const Sym *iter, Expr *value) {
    const Ast *body = f->kids[3];
    Block b;
    int mark = ac->env.n;
    accept_open(ac, &b);
    forget_pointers(ac, body);
    accept_bind(ac, h->counter, BIND_VALUE, value, NULL);
    if (accept_owns_counter(ac, f, h->counter)) vec_push(ac->a, &ac->privates, h->counter);
    else accept_watch_counter(ac, h->counter, f->loc);
    vec_push(ac->a, &ac->iters, iter);
    bool block = body->kind == A_BLOCK;
    bool ok = accept_privates(ac, f) && (!block || accept_pragmas_ok(ac, body)) &&
              accept_list(ac, block ? body->nkids : 1, block ? body->kids : &f->kids[3]) &&
              read_other_steps(ac, f, h);
    ac->iters.n--;
    accept_unbind(ac, mark);
    Node *seq = accept_close(ac, &b);
    return ok ? seq : NULL;
}

// What the counter is worth in the body and after the loop, and the bounds of the iterations.
typedef struct Counting {
    Expr *lo, *hi;
    int64_t step;
    Expr *value, *final; // final NULL: not known
} Counting;

// i = lo; i < hi; i += by  ──►  t = 0; t < trips; t++ with i = lo + by * t, or - where it is
// subtracted. The step is positive when the loop runs at all, else it would not end.
static bool count_steps(Accept *ac, const Ast *f, const Header *h, const Sym *iter, Counting *c) {
    Arena *a = ac->a;
    Type t = iter->type, own = h->counter->type->scalar;
    Expr *by = accept_convert(ac, t, accept_convert(ac, own, accept_value(ac, h->by)));
    Expr *lo = by ? accept_freeze(ac, c->lo) : NULL;
    if (by && ac->ra->launch) by = accept_freeze(ac, by); // kernel/flow.c has seen that it stays
    if (!lo || !by)
        return false;
    bool wraps = type_size(own) < 4 || (!type_is_signed(own) && (h->minus || !type_is_signed(t)));
    if ((expr_has_load(by) && !ac->ra->launch) || wraps)
        return accept_refuse(ac, SC_LOOP_FORM, f->loc,
                             "the step must be a constant or a variable that "
                             "the region only reads%s",
                             wraps ? ", and the counter must not wrap around" : "");
    Expr *span = h->minus ? expr_sub(a, lo, c->hi) : expr_sub(a, c->hi, lo), *one = expr_int(a, t, 1);
    Expr *trips = expr_add(a, expr_op(a, OP_DIV, expr_sub(a, span, one), by, NULL), one);
    Expr *runs = expr_op(a, h->minus ? OP_GT : OP_LT, lo, c->hi, NULL);
    trips = expr_op(a, OP_SELECT, runs, trips, expr_int(a, t, 0));
    bool loads = expr_has_load(c->hi) || expr_has_load(lo);
    Op op = h->minus ? OP_SUB : OP_ADD;
    c->final = loads ? NULL : expr_op(a, op, lo, expr_mul(a, by, trips), NULL);
    c->value = accept_convert(ac, own, expr_op(a, op, lo, expr_mul(a, by, expr_sym(a, iter)), NULL));
    c->lo = expr_int(a, t, 0);
    c->hi = trips;
    c->step = 1;
    return true;
}

static bool check_body(Accept *ac, const Ast *f, const Header *h) {
    if (accept_assigns_decl(ac->a, f->kids[3], h->counter))
        return accept_refuse(ac, SC_ITER_WRITTEN, f->loc, "the counter '%s' is changed inside the loop; "
                             "use another variable there", h->counter->name);
    if (accept_writes_decl(ac->a, f->kids[3], h->counter))
        return accept_refuse(ac, SC_ITER_WRITTEN, f->loc, "the address of the counter '%s' is taken inside "
                             "the loop; take that of a copy of it", h->counter->name);
    return true;
}

// The counter is also an ordinary variable of the region: it gets its last value.
static bool store_final(Accept *ac, const Header *h, const Node *loop, Expr *final, Loc loc) {
    const Bind *b = accept_lookup(ac, h->counter);
    Ref r;
    if (b && b->kind == BIND_PLACE)
        r = b->ref;
    else if (b || !accept_variable(ac, h->counter, loc, &r))
        return false;
    if (!final)
        final = accept_final_value(ac, loop);
    if (!final)
        return accept_refuse(ac, SC_LIVE_OUT, loc, "'%s' counts this loop and is set elsewhere too; use "
                             "two variables", h->counter->name);
    return accept_put(ac, loc, &r, OP_SET, final);
}

static bool is_local_to(const Ast *f, const Decl *d) {
    for (int k = 0; f->kids[0] && k < f->kids[0]->ndecls; k++)
        if (f->kids[0]->decls[k] == d)
            return true;
    return false;
}

// A loop whose number of iterations is not known here can't be written out whole.
static int unroll_of(const Ast *f, const Node *loop) {
    if (f->unroll >= 0) return f->unroll;
    if (loop->lo->kind != E_INT || loop->hi->kind != E_INT) return 0;
    int64_t trips = (loop->hi->i - loop->lo->i + loop->step - (loop->step > 0 ? 1 : -1)) / loop->step;
    return trips > 1 && trips <= LONGEST_UNROLLED ? (int)trips : 0;
}

static Node *read_loop(Accept *ac, const Ast *f, const Header *h, Counting *c, const Sym *iter) {
    FinalVec before = {0};
    int ordered = ac->ordered;
    accept_finals_enter(ac, f->kids[3], &before);
    Node *body = read_body(ac, f, h, iter, c->value);
    if (!body)
        return NULL;
    if (changes_bound(body, c->hi))
        return accept_refuse(ac, SC_ITER_WRITTEN, f->loc, "the loop changes what its bound is computed "
                             "from; put the bound into a variable before the loop");
    Node *loop = node_for(ac->a, iter, c->lo, c->hi, c->step, f->how, body);
    loop->loc = f->loc;
    loop->mark = accept_mark(ac, f, ac->ordered > ordered);
    loop->unroll = unroll_of(f, loop);
    accept_finals_loop(ac, &before, loop);
    return ac->failed ? NULL : loop;
}

static void append(Accept *ac, Node *loop, Expr *guard) {
    if (guard) {
        loop = node_if(ac->a, guard, node_seq(ac->a, 1, &loop), NULL);
        loop->loc = loop->then->kids[0]->loc;
    }
    vec_push(ac->a, &ac->block->nodes, loop);
}

// The loop's own counter. Where the program's would wrap around before it ends, conditions on
// the bounds are to be made (dep/relation.c). A program's loop ends; one of somebody's kernel may not.
static Sym *own_counter(Accept *ac, const Header *h, Type t) {
    Type own = h->counter->type->scalar;
    bool small = type_size(own) < 4; // bounds of larger ones are never that large
    bool endless = ac->ra->launch && type_size(own) < type_size(t) && (small || type_is_signed(own));
    bool far = h->op == OP_NE || h->step < -1 || (small && (h->step > 1 || below_is_above(h)));
    bool wraps = (endless || (far && (small || !type_is_signed(own)))) && !h->by && !ends_below_zero(h);
    Sym *s = NEW(ac->a, Sym);
    *s = (Sym){.name = accept_name(ac, h->counter->name), .kind = SYM_ITER, .type = t};
    s->said = str_eq(s->name, h->counter->name) ? NULL : h->counter->name;
    s->counted = wraps ? own : T_NONE;
    s->exactly = wraps && h->op == OP_NE;
    return s;
}

// The bounds in type t. Where *guard (NULL: always) is false the loop does not run.
static bool read_bounds(Accept *ac, const Ast *f, const Header *h, Type t, Expr *lo, Expr *hi, Counting *c,
                        Expr **guard) {
    bool all = is_beyond(hi); // counting down through zero
    *guard = needs_sign_check(h, lo) ? expr_op(ac->a, OP_GE, lo, expr_int(ac->a, lo->type, 0), NULL) : NULL;
    c->step = h->step;
    c->lo = accept_convert(ac, t, lo);
    hi = moved(ac, f, h, t, hi);
    c->hi = hi ? exclusive(ac, f, h, hi) : NULL;
    if (!c->hi)
        return false;
    if (ends_below_zero(h)) {
        *guard = all ? NULL : expr_op(ac->a, OP_LT, c->lo, c->hi, NULL);
        c->hi = expr_int(ac->a, t, -1);
    }
    if (h->behind) { // the body sees the next value
        Expr *by = expr_int(ac->a, t, h->step);
        c->lo = expr_add(ac->a, c->lo, by);
        c->hi = expr_add(ac->a, c->hi, by);
    }
    return true;
}

// What the counter is worth behind its loop; NULL: not known.
static Expr *final_value(Accept *ac, const Ast *f, const Header *h, const Counting *c, const Node *loop,
                         Expr *guard) {
    Expr *final = h->by ? c->final : accept_final_value(ac, loop);
    if (!guard)
        return final;
    FinalVec none = {0};
    accept_finals_enter(ac, f->kids[3], &none); // what ran inside is not known any more
    return final && !h->by ? expr_op(ac->a, OP_SELECT, guard, final, loop->lo) : NULL;
}

bool accept_for(Accept *ac, const Ast *f) {
    Header h;
    if (!read_header(ac, f, &h) || !check_body(ac, f, &h) || !read_init(ac, f, &h))
        return false;
    Type own = h.counter->type->scalar;
    Expr *lo = h.lo ? accept_convert(ac, own, outside(ac, h.lo)) : standing(ac, f, &h), *hi, *guard;
    if (!lo || !accept_after(ac) || !(hi = bound(ac, f, &h)))
        return false;
    if (counts_beyond(&h, lo, hi))
        return accept_refuse(ac, SC_LOOP_FORM, f->loc,
                             "the loop counts beyond 2^63 - 1; count from or to less");
    Counting c = {0};
    Sym *iter = own_counter(ac, &h, counting_type(ac, &h, lo, hi));
    if (!read_bounds(ac, f, &h, iter->type, lo, hi, &c, &guard))
        return false;
    c.value = accept_convert(ac, own, expr_sym(ac->a, iter));
    if (iter->type != own) vec_push(ac->a, &ac->small, (const Expr *)c.value);
    if (h.by && !count_steps(ac, f, &h, iter, &c))
        return false;
    Node *loop = read_loop(ac, f, &h, &c, iter);
    if (!loop)
        return false;
    append(ac, loop, guard);
    if (is_local_to(f, h.counter))
        return true;
    Expr *final = accept_convert(ac, own, final_value(ac, f, &h, &c, loop, guard));
    if (accept_has_decl(&ac->writes.vars, h.counter))
        return store_final(ac, &h, loop, final, f->loc);
    accept_final_set(ac, h.counter, final);
    return true;
}
