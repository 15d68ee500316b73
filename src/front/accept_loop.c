// SPDX-License-Identifier: MIT
// accept_loop.c -- for loops: counter, bounds, step.
//
//   for (i = lo; i < hi; i += step)    i is the variable that the step changes and the
//   for (...; hi >= i + 1; i -= 2)     condition compares with something that stays
#include "front/accept.h"

// A loop's header as written.
typedef struct Header {
    const Decl *counter;
    const Ast *side;       // the side of the condition that the counter is on,
    const Ast *other;      // and the other one
    Op op;                 // with the counter on the left: < <= > >= !=
    const Ast *lo;         // NULL: where the counter stands
    int64_t step;          // 0: `by` says it
    const Ast *by;         // a step that is not constant, added
} Header;

enum { MAX_PARTS = 8, LONGEST_UNROLLED = 1024 };

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

// The variable in i, i + 1, (long) i - m.
static const Decl *variable_in(const Ast *e) {
    e = accept_strip(e);
    if (e->kind == A_BINARY && (e->op == OP_ADD || e->op == OP_SUB))
        e = accept_strip(e->kids[0]);
    return e->kind == A_REF ? e->decl : NULL;
}

static const Decl *counter_on(const Ast *f, const Ast *side) {
    const Ast *incs[MAX_PARTS];
    int n = parts(f->kids[2], incs, 0);
    const Decl *d = variable_in(side);
    for (int k = 0; d && k < n; k++)
        if (changed_by(incs[k]) == d)
            return d;
    return NULL;
}

const Decl *accept_counter(const Ast *f) {
    const Ast *cond = f->kids[1];
    if (!cond || !f->kids[2] || cond->kind != A_BINARY || cond->nkids != 2)
        return NULL;
    const Decl *d = counter_on(f, cond->kids[0]);
    return d ? d : counter_on(f, cond->kids[1]);
}

static Op mirrored(Op op) {
    switch (op) {
    case OP_LT: return OP_GT;
    case OP_LE: return OP_GE;
    case OP_GT: return OP_LT;
    case OP_GE: return OP_LE;
    default: return op;
    }
}

static bool not_whole(Accept *ac, Loc loc) {
    return accept_refuse(ac, SC_LOOP_FORM, loc, "the condition must compare the counter with an "
                         "integer bound, as in i < n");
}

static bool read_cond(Accept *ac, const Ast *f, Header *h) {
    const Ast *c = f->kids[1];
    bool left = counter_on(f, c->kids[0]) != NULL;
    h->side = c->kids[left ? 0 : 1];
    h->other = c->kids[left ? 1 : 0];
    h->op = left ? c->op : mirrored(c->op);
    bool ok = h->op == OP_LT || h->op == OP_LE || h->op == OP_GT || h->op == OP_GE || h->op == OP_NE;
    const CType *t = h->other->type;
    ok = ok && t->kind == CT_SCALAR && (type_is_int(t->scalar) || t->scalar == T_F64);
    return ok || not_whole(ac, c->loc);
}

// i = i + c, i = c + i, i = i - c
static const Ast *added(const Ast *e, const Decl *d, bool *minus) {
    const Ast *x = accept_strip(e->kids[1]);
    if (x->kind != A_BINARY || (x->op != OP_ADD && x->op != OP_SUB))
        return NULL;
    const Ast *l = accept_strip(x->kids[0]), *r = accept_strip(x->kids[1]);
    *minus = x->op == OP_SUB;
    if (l->kind == A_REF && l->decl == d)
        return x->kids[1];
    return x->op == OP_ADD && r->kind == A_REF && r->decl == d ? x->kids[0] : NULL;
}

static bool read_step(Accept *ac, const Ast *e, Header *h) {
    bool minus = e->op == OP_SUB;
    const Ast *by = NULL;
    if (e->kind == A_INCDEC) {
        h->step = minus ? -1 : 1;
        return true;
    }
    if (e->op == OP_ADD || e->op == OP_SUB)
        by = e->kids[1];
    else if (e->op == OP_SET)
        by = added(e, h->counter, &minus);
    const Ast *c = by ? accept_strip(by) : NULL;
    if (c && c->kind == A_INT && c->i != 0 && c->i > -(1 << 30) && c->i < (1 << 30)) {
        h->step = minus ? -c->i : c->i;
        return true;
    }
    h->by = by;
    if (!by || minus || c->kind == A_INT)
        return accept_refuse(ac, SC_LOOP_FORM, e->loc, "the step must add or subtract a constant, as "
                             "in i += 2");
    return true;
}

static bool read_header(Accept *ac, const Ast *f, Header *h) {
    *h = (Header){.counter = accept_counter(f)};
    if (!h->counter)
        return accept_refuse(ac, SC_LOOP_FORM, f->loc, "the loop must count one variable: for (i = lo; "
                             "i < hi; i += step)");
    const CType *t = h->counter->type;
    if (t->kind != CT_SCALAR || !type_is_int(t->scalar) || t->scalar == T_BOOL)
        return accept_refuse(ac, SC_LOOP_FORM, f->loc, "the counter '%s' must be an integer",
                             h->counter->name);
    if (!accept_type_ok(ac, t, f->loc))
        return false;
    const Ast *incs[MAX_PARTS];
    int n = parts(f->kids[2], incs, 0), changes = 0;
    for (int k = 0; k < n; k++)
        if (changed_by(incs[k]) == h->counter && ++changes == 1 && !read_step(ac, incs[k], h))
            return false;
    if (changes != 1)
        return accept_refuse(ac, SC_LOOP_FORM, f->loc, "'%s' is changed twice in the step",
                             h->counter->name);
    return read_cond(ac, f, h);
}

// ---- bounds -------------------------------------------------------------------------------------
// C computes with small integers as int, and so does the loop; its counter keeps the range of
// its type, since it would not end otherwise.
static Type counting_type(const Header *h) {
    Type t = h->counter->type->scalar;
    return type_size(t) < 4 ? T_I32 : t;
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
    if (accept_has_decl(&ac->writes.vars, d) && accept_place(ac, f->kids[2]->kids[0], &r))
        return accept_freeze(ac, accept_load(ac, &r, f->loc));
    if (now || !outside || ac->iters.n || ac->guarded || !accept_variable(ac, d, f->loc, &r))
        return accept_refuse(ac, SC_LOOP_FORM, f->loc, "the value with which '%s' begins can't be told; "
                             "set it in the loop's header", d->name);
    return accept_param(ac, d->name, d->name, d->type->scalar);
}

// hi of i + e < hi goes to the other side.
static Expr *moved(Accept *ac, const Header *h, Expr *hi) {
    const Ast *e = accept_strip(h->side);
    if (e->kind != A_BINARY)
        return hi;
    Expr *x = accept_value(ac, e->kids[1]);
    Type t = counting_type(h);
    bool plain = e->op == OP_ADD && h->op == OP_LT && x && x->kind == E_INT && x->i > 0;
    if (plain && !type_is_signed(t) && hi->type == t && x->type == t) // max(hi, x) - x: no wrap
        return expr_sub(ac->a, expr_op(ac->a, OP_MAX, hi, x, NULL), x);
    if (!x || !hi || !type_is_signed(t) || !type_is_signed(hi->type) || !type_is_signed(x->type))
        return accept_refuse(ac, SC_LOOP_FORM, e->loc, "arithmetic on an unsigned counter in the "
                             "condition; compare the counter alone");
    x = expr_cast(ac->a, hi->type, x);
    return e->op == OP_ADD ? expr_sub(ac->a, hi, x) : expr_add(ac->a, hi, x);
}

static Expr *exclusive(Accept *ac, const Ast *f, const Header *h, Expr *hi) {
    bool up = h->step >= 0;
    Type t = counting_type(h);
    bool fits = h->op == OP_NE ? (h->step == 1 || h->step == -1)
                               : up == (h->op == OP_LT || h->op == OP_LE);
    if (!fits)
        return accept_refuse(ac, SC_LOOP_FORM, f->loc, "the step and the condition of the loop don't "
                             "meet");
    if (h->op == OP_LE)
        hi = expr_add(ac->a, hi, expr_int(ac->a, t, 1));
    if (h->op == OP_GE && !type_is_signed(t) && (hi->kind != E_INT || hi->i == 0))
        return accept_refuse(ac, SC_LOOP_FORM, f->loc, "an unsigned counter that runs down to its bound "
                             "may never end; use a signed one");
    if (h->op == OP_GE)
        hi = expr_sub(ac->a, hi, expr_int(ac->a, t, 1));
    return hi;
}

static Expr *upper(Accept *ac, const Ast *f, const Header *h) {
    int nodes = ac->block->nodes.n;
    Expr *hi = accept_value(ac, h->other);
    if (hi && type_is_float(hi->type)) {
        hi = accept_whole(ac->a, hi);
        if (!hi)
            not_whole(ac, f->kids[1]->loc);
    }
    hi = hi ? moved(ac, h, hi) : NULL;
    if (!hi)
        return NULL;
    if (ac->block->nodes.n != nodes || ac->after.n)
        return accept_refuse(ac, SC_LOOP_FORM, f->loc, "the loop's bound is computed by statements; put "
                             "it into a variable before the loop");
    return exclusive(ac, f, h, accept_convert(ac, counting_type(h), hi));
}

// An unsigned comparison of a signed counter: true only where the counter isn't negative.
static bool needs_sign_check(const Header *h, const Expr *lo) {
    Type t = counting_type(h);
    if (h->other->type->scalar == T_F64)
        return false;
    bool unsigned_compare = !type_is_signed(h->other->type->scalar) &&
                            type_size(h->other->type->scalar) >= 4 && h->other->kind != A_INT;
    if (h->other->kind == A_INT)
        unsigned_compare = !type_is_signed(h->other->type->scalar);
    return type_is_signed(t) && unsigned_compare && !(lo->kind == E_INT && lo->i >= 0);
}

// ---- the body -------------------------------------------------------------------------------------
typedef struct Changes {
    const char *object;
    bool found;
} Changes;

static void find_write(Node *n, void *arg) {
    Changes *c = arg;
    if (n->kind == N_STMT && str_eq(n->stmt->lhs->object, c->object))
        c->found = true;
}

typedef struct BoundCheck {
    Node *body;
    bool changed;
} BoundCheck;

static void check_load(const Expr *x, void *arg) {
    BoundCheck *b = arg;
    if (x->kind != E_LOAD)
        return;
    Changes c = {x->array->object, false};
    node_walk(b->body, find_write, &c);
    b->changed |= c.found;
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

// i = lo; i < hi; i += by  ──►  t = 0; t < trips; t++ with i = lo + by * t. The step is
// positive when the loop runs at all, else it would not end.
static bool count_steps(Accept *ac, const Ast *f, const Header *h, const Sym *iter, Counting *c) {
    Arena *a = ac->a;
    Type t = iter->type;
    Expr *by = accept_convert(ac, t, accept_value(ac, h->by));
    Expr *lo = by ? accept_freeze(ac, c->lo) : NULL;
    if (by && ac->ra->launch) by = accept_freeze(ac, by); // kernel_flow.c has seen that it stays
    if (!lo || !by)
        return false;
    if ((expr_has_load(by) && !ac->ra->launch) || type_size(t) < 4 || (h->op != OP_LT && h->op != OP_LE))
        return accept_refuse(ac, SC_LOOP_FORM, f->loc, "the step must be a constant or a variable that "
                             "the region only reads");
    Expr *span = expr_sub(a, expr_sub(a, c->hi, lo), expr_int(a, t, 1));
    Expr *trips = expr_add(a, expr_op(a, OP_DIV, span, by, NULL), expr_int(a, t, 1));
    trips = expr_op(a, OP_SELECT, expr_op(a, OP_LT, lo, c->hi, NULL), trips, expr_int(a, t, 0));
    bool loads = expr_has_load(c->hi) || expr_has_load(lo);
    c->final = loads ? NULL : expr_add(a, lo, expr_mul(a, by, trips));
    c->value = accept_convert(ac, h->counter->type->scalar, expr_add(a, lo, expr_mul(a, by, expr_sym(a, iter))));
    c->lo = expr_int(a, t, 0);
    c->hi = trips;
    c->step = 1;
    return true;
}

static bool check_body(Accept *ac, const Ast *f, const Header *h) {
    if (accept_writes_decl(ac->a, f->kids[3], h->counter))
        return accept_refuse(ac, SC_ITER_WRITTEN, f->loc, "the counter '%s' is changed inside the loop; "
                             "use another variable there", h->counter->name);
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
    accept_finals_enter(ac, f->kids[3], &before);
    Node *body = read_body(ac, f, h, iter, c->value);
    if (!body)
        return NULL;
    BoundCheck check = {body, false};
    expr_walk(c->hi, check_load, &check);
    if (check.changed)
        return accept_refuse(ac, SC_ITER_WRITTEN, f->loc, "the loop changes what its bound is computed "
                             "from; put the bound into a variable before the loop");
    Node *loop = node_for(ac->a, iter, c->lo, c->hi, c->step, f->how, body);
    loop->loc = f->loc;
    loop->mark = accept_mark(ac, f);
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

bool accept_for(Accept *ac, const Ast *f) {
    Header h;
    if (!read_header(ac, f, &h) || !check_body(ac, f, &h) || !read_init(ac, f, &h))
        return false;
    Type t = counting_type(&h), own = h.counter->type->scalar;
    Counting c = {.step = h.step};
    c.lo = h.lo ? accept_convert(ac, own, accept_value(ac, h.lo)) : standing(ac, f, &h);
    c.lo = accept_convert(ac, t, c.lo);
    if (!c.lo || !accept_after(ac) || !(c.hi = upper(ac, f, &h)))
        return false;
    Expr *guard = needs_sign_check(&h, c.lo)
                      ? expr_op(ac->a, OP_GE, c.lo, expr_int(ac->a, t, 0), NULL) : NULL;
    Sym *iter = NEW(ac->a, Sym);
    *iter = (Sym){.name = accept_name(ac, h.counter->name), .kind = SYM_ITER, .type = t};
    c.value = accept_convert(ac, own, expr_sym(ac->a, iter));
    if (t != own)
        vec_push(ac->a, &ac->small, (const Sym *)iter);
    if (h.by && !count_steps(ac, f, &h, iter, &c))
        return false;
    Node *loop = read_loop(ac, f, &h, &c, iter);
    if (!loop)
        return false;
    append(ac, loop, guard);
    if (is_local_to(f, h.counter))
        return true;
    Expr *final = h.by ? c.final : accept_final_value(ac, loop);
    if (guard) {
        FinalVec none = {0};
        accept_finals_enter(ac, f->kids[3], &none); // what ran inside is not known any more
        final = final && !h.by ? expr_op(ac->a, OP_SELECT, guard, final, loop->lo) : NULL;
    }
    final = accept_convert(ac, own, final);
    bool stored = accept_has_decl(&ac->writes.vars, h.counter);
    if (stored)
        return store_final(ac, &h, loop, final, f->loc);
    accept_final_set(ac, h.counter, final);
    return true;
}
