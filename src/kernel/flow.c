// SPDX-License-Identifier: MIT
// flow.c -- while, break and return inside of loops, as counted loops and conditions.
//
//   while (c) { … break; … }      go = 1;
//                                 for (w = 0; w < trips; w++)
//                                     if (go) { go = c; if (go) { … { go = 0; continue; } … } }
//
// `trips` is a parameter of the region; any number that is not smaller than how often the loop
// runs means the same, as nothing happens once go is 0. `return` inside of loops leaves them one
// after the other.
#include "kernel/pass.h"

typedef struct Around {    // the innermost loop around a statement
    Decl *go;              // NULL: nothing leaves it
    struct Around *up;
    const Ast *loop;
} Around;

typedef struct Flow {
    KernelRead *k;
    Decl *func;
    const Ast *block;      // the innermost around
    Decl *alive, *result;  // made when something returns from inside of a loop
} Flow;

static Ast *stmt(Flow *f, Ast *s, Around *in);

static Ast *number(Flow *f, const Ast *like, int64_t v) { return mk_int(f->k, like, T_I32, v); }
static Ast *ref(Flow *f, const Ast *like, Decl *d) { return ast_ref(f->k->a, like, d); }

static Decl *flag(Flow *f, const char *name, const Ast *like) {
    Decl *d = ast_variable(f->k->a, name, ast_scalar(f->k->a, T_I32), NULL, like->loc);
    d->init = number(f, like, 1);
    return d;
}

// ---- what is in a loop ---------------------------------------------------------------------
static bool has(const Ast *s, AstKind kind, bool inner_loops) {
    if (!s) return false;
    if (s->kind == kind) return true;
    bool loop = s->kind == A_FOR || s->kind == A_WHILE || s->kind == A_DO;
    if (!inner_loops && (loop || (s->kind == A_SWITCH && kind == A_BREAK))) return false;
    for (int i = 0; i < s->nkids; i++)
        if (has(s->kids[i], kind, inner_loops)) return true;
    return false;
}

static bool mentions_written(KernelRead *k, const Ast *e, const Ast *body) {
    ast_each(x, e) {
        if (x->kind == A_REF && x->decl && accept_writes_decl(k->a, body, x->decl)) return true;
        if (x->kind == A_CALL || x->kind == A_ASSIGN || x->kind == A_INCDEC) return true;
    }
    return false;
}

static bool mentions_set(KernelRead *k, const Ast *e, const Ast *step) {
    ast_each(x, e)
        if (x->kind == A_REF && x->decl && accept_writes_decl(k->a, step, x->decl)) return true;
    return false;
}

static bool is_counter(const Ast *e, const Decl *d) {
    e = accept_strip(e);
    return e && e->kind == A_REF && e->decl == d;
}

// The part of a step that changes the counter; NULL: none, or several.
static const Ast *own_step(const Ast *inc, const Decl *d) {
    inc = inc ? accept_strip(inc) : NULL;
    if (inc && inc->kind == A_COMMA) {
        const Ast *x = own_step(inc->kids[0], d), *y = own_step(inc->kids[1], d);
        return x && y ? NULL : x ? x : y;
    }
    bool own = inc && (inc->kind == A_INCDEC || inc->kind == A_ASSIGN) && is_counter(inc->kids[0], d);
    return own ? inc : NULL;
}

// Does the loop count one variable in equal steps towards something that stays?
static bool is_counted(KernelRead *k, const Ast *f) {
    const Decl *d = accept_counter(f);
    const Ast *c = f->kids[1] ? accept_strip(f->kids[1]) : NULL, *inc = own_step(f->kids[2], d);
    if (!d || !c || !inc || d->type->kind != CT_SCALAR || !type_is_int(d->type->scalar)) return false;
    if (c->kind != A_BINARY || accept_writes_decl(k->a, f->kids[3], d)) return false;
    bool left = is_counter(c->kids[0], d), right = is_counter(c->kids[1], d);
    bool compares = c->op == OP_LT || c->op == OP_LE || c->op == OP_GT || c->op == OP_GE;
    if (left == right || !compares || mentions_written(k, c->kids[left ? 1 : 0], f->kids[3])) return false;
    if (accept_mentions(c->kids[left ? 1 : 0], d) || mentions_set(k, c->kids[left ? 1 : 0], f->kids[2]))
        return false;
    bool up = (c->op == OP_LT || c->op == OP_LE) == left;
    if (inc->kind == A_INCDEC) return (inc->op == OP_ADD) == up && is_counter(inc->kids[0], d);
    if (inc->kind != A_ASSIGN || !is_counter(inc->kids[0], d)) return false;
    const Ast *by = inc->kids[1];
    Op op = inc->op;
    if (op == OP_SET) {
        const Ast *sum = accept_strip(by);
        if (sum->kind != A_BINARY) return false;
        op = sum->op;
        by = is_counter(sum->kids[0], d)                   ? sum->kids[1]
             : op == OP_ADD && is_counter(sum->kids[1], d) ? sum->kids[0]
                                                           : NULL;
    }
    int64_t v;
    if (!by || (op != OP_ADD && op != OP_SUB)) return false;
    if (kernel_const(k, by, &v)) return v != 0 && ((v > 0) == (op == OP_ADD)) == up;
    return op == OP_ADD && up && !mentions_written(k, by, f->kids[3]) && !accept_mentions(by, d);
}

// ---- leaving ----------------------------------------------------------------------------------
static Ast *leave_loop(Flow *f, const Ast *at, Around *in) {
    Ast *kids[] = {mk_set(f->k, ref(f, at, in->go), number(f, at, 0)),
        ast_make(f->k->a, A_CONTINUE, at, NULL, 0, NULL)};
    return mk_block(f->k, at, 2, kids);
}

static Ast *plain_return(Flow *f, const Ast *at) {
    Ast *value = f->result ? ref(f, at, f->result) : NULL;
    return ast_make(f->k->a, A_RETURN, at, NULL, value ? 1 : 0, value ? &value : NULL);
}

static Ast *leave_function(Flow *f, Ast *s, Around *in) {
    if (!in) return s;
    VEC(Ast *) v = {0};
    if (s->nkids && f->result) vec_push(f->k->a, &v, mk_set(f->k, ref(f, s, f->result), s->kids[0]));
    vec_push(f->k->a, &v, mk_set(f->k, ref(f, s, f->alive), number(f, s, 0)));
    vec_push(f->k->a, &v, leave_loop(f, s, in));
    return mk_block(f->k, s, v.n, v.at);
}

// The loop, and behind it what a return inside of it goes on to.
static Ast *behind(Flow *f, Ast *first, Ast *loop, bool returns, Around *in) {
    VEC(Ast *) v = {0};
    if (first) vec_push(f->k->a, &v, first);
    vec_push(f->k->a, &v, loop);
    if (returns) {
        Ast *on = in ? leave_loop(f, loop, in) : plain_return(f, loop);
        vec_push(f->k->a, &v, mk_if(f->k, mk_not(f->k, ref(f, loop, f->alive)), on));
    }
    return v.n == 1 ? v.at[0] : mk_block(f->k, loop, v.n, v.at);
}

// ---- loops -----------------------------------------------------------------------------------------
static Ast *counted(Flow *f, Ast *s, Around *in) {
    KernelRead *k = f->k;
    bool returns = has(s->kids[3], A_RETURN, true), breaks = has(s->kids[3], A_BREAK, false);
    Around here = {NULL, in, s};
    if (!returns && !breaks) {
        s->kids[3] = stmt(f, s->kids[3], &here);
        return s;
    }
    here.go = flag(f, "go", s);
    Ast *body = stmt(f, s->kids[3], &here);
    s->kids[3] = mk_block(k, s, 1, (Ast *[]){mk_if(k, ref(f, s, here.go), body)});
    return behind(f, ast_declare(k->a, s, here.go), s, returns, in);
}

// The parameter that says how often a while loop may run.
static Ast *trips(Flow *f, const Ast *s) {
    KernelRead *k = f->k;
    const char *name = arena_printf(k->a, "trips_%d", s->loc.line);
    for (int i = 0; i < k->launch.nargs; i++)
        if (str_eq(k->launch.args[i].name, name)) return number(f, s, (int64_t)k->launch.args[i].value);
    Decl *d = ast_variable(k->a, name, ast_scalar(k->a, T_I32), NULL, s->loc);
    d->is_global = true;
    return ref(f, s, d);
}

// while (cond) { body }, with a step between iterations; the body comes first in a do loop.
static Ast *repeated(Flow *f, Ast *s, Ast *cond, Ast *step, Ast *body, bool body_first, Around *in) {
    KernelRead *k = f->k;
    Around here = {flag(f, "go", s), in, s};
    Decl *w = ast_variable(k->a, "w", ast_scalar(k->a, T_I32), NULL, s->loc);
    bool returns = has(body, A_RETURN, true);
    Ast *go = ref(f, s, here.go), *again = mk_op(k, OP_GT, ref(f, s, w), number(f, s, 0));
    VEC(Ast *) v = {0};
    if (step) vec_push(k->a, &v, mk_if(k, again, ast_make(k->a, A_EXPR, step, NULL, 1, &step)));
    Ast *test = cond ? mk_set(k, go, mk_not(k, mk_not(k, cond))) : NULL;
    if (test) vec_push(k->a, &v, body_first ? mk_if(k, again, test) : test);
    vec_push(k->a, &v, mk_if(k, go, stmt(f, body, &here)));
    Ast *once = mk_if(k, go, mk_block(k, s, v.n, v.at));
    Ast *loop = mk_for(k, s, w, trips(f, s), HOW_SERIAL, mk_block(k, s, 1, &once));
    return behind(f, ast_declare(k->a, s, here.go), loop, returns, in);
}

static bool is_used_behind(const Ast *x, const Decl *d, size_t end) {
    if (!x) return false;
    if (x->kind == A_REF && x->decl == d && x->begin >= end) return true;
    for (int i = 0; i < x->nkids; i++)
        if (is_used_behind(x->kids[i], d, end)) return true;
    for (int i = 0; i < x->ndecls; i++)
        if (is_used_behind(x->decls[i]->init, d, end)) return true;
    return false;
}

static bool declares(const Ast *x, const Decl *d) {
    if (!x) return false;
    for (int i = 0; i < x->ndecls; i++)
        if (x->decls[i] == d) return true;
    for (int i = 0; i < x->nkids; i++)
        if (declares(x->kids[i], d)) return true;
    return false;
}

// Does d live from round to round of a loop of x around s?
static bool goes_round(const Ast *x, const Decl *d, const Ast *s) {
    if (!x || x->begin > s->begin || x->end < s->end) return false;
    bool loop = x->kind == A_FOR || x->kind == A_WHILE || x->kind == A_DO;
    if (loop && (x->begin < s->begin || x->end > s->end) && !declares(x, d)) return true;
    for (int i = 0; i < x->nkids; i++)
        if (goes_round(x->kids[i], d, s)) return true;
    return false;
}

// Is d worth something behind s? By the text, of which loops that were written out have more than `in`, and
// those of macros less.
static bool lives_on(const Flow *f, const Decl *d, const Ast *s, const Around *in) {
    for (; in; in = in->up)
        if (!declares(in->loop, d)) return true;
    return is_used_behind(f->func->body, d, s->end) || goes_round(f->func->body, d, s);
}

static bool leaves(const Ast *s) {
    return has(s->kids[3], A_BREAK, false) || has(s->kids[3], A_RETURN, true);
}

// What the step makes of the counter's value x.
static Ast *stepped(KernelRead *k, const Ast *step, Ast *x) {
    if (step->kind == A_INCDEC) return mk_op(k, step->op, x, mk_int(k, step, x->type->scalar, 1));
    if (step->op == OP_SET) return ast_replace(k, step->kids[1], accept_strip(step->kids[0])->decl, x);
    return mk_cast(k, x->type,
                   mk_op(k, step->op, step->compute ? mk_cast(k, step->compute, x) : x, step->kids[1]));
}

// int i = x; …; for (; i < n; i += s), where nothing between changes i, or ever what x is made of: x.
// NULL: it is no such.
static Ast *start_of(const Flow *f, const Decl *d, const Ast *s) {
    bool here = false;
    for (int i = 0; f->block && i < f->block->nkids; i++) {
        const Ast *x = f->block->kids[i];
        if (!x || x->begin >= s->begin) continue;
        for (int j = 0; j < x->ndecls; j++) here |= x->decls[j] == d;
        if (accept_writes_decl(f->k->a, x, d)) return NULL;
    }
    bool stays = here && d->init && !d->address_taken && !mentions_written(f->k, d->init, f->func->body) &&
                 !has(d->init, A_INDEX, true) && !has(d->init, A_DEREF, true);
    return stays ? ast_replace(f->k, d->init, d, d->init) : NULL; // a copy
}

// for (; i < n; i += s) begins where i stands: a counter of its own takes over, and i follows it where
// it lives on. NULL: it can't follow.
static Ast *with_own_counter(Flow *f, Ast *s, const Around *in) {
    KernelRead *k = f->k;
    Decl *d = (Decl *)accept_counter(s);
    Ast *init = s->kids[0];
    if (!d || (init && init->kind != A_EMPTY)) return s;
    bool behind = lives_on(f, d, s, in);
    Ast *start = behind && !leaves(s) ? start_of(f, d, s) : NULL;
    if (start) s->kids[0] = mk_set(k, ast_ref(k->a, s, d), start);
    if (start) return s;
    if (behind && has(s->kids[3], A_CONTINUE, false)) return NULL;
    Decl *own = ast_variable(k->a, d->name, d->type, ast_ref(k->a, s, d), s->loc);
    const Ast *step = own_step(s->kids[2], d);
    Ast *next = stepped(k, step, ref(f, s, own)), *loop = ast_replace(k, s, d, ref(f, s, own));
    loop->kids[0] = ast_declare(k->a, s, own);
    Ast *both[] = {loop->kids[3], mk_set(k, ast_ref(k->a, s, d), next)};
    if (behind) loop->kids[3] = mk_block(k, s, 2, both);
    return loop;
}

// Is it true as long as the counter, that grows, is small enough?
static bool is_upper_bound(KernelRead *k, const Ast *c, const Decl *d, const Ast *body) {
    c = accept_strip(c);
    bool less = c->kind == A_BINARY && (c->op == OP_LT || c->op == OP_LE);
    bool more = c->kind == A_BINARY && (c->op == OP_GT || c->op == OP_GE);
    if (!less && !more) return false;
    const Ast *low = accept_strip(c->kids[less ? 0 : 1]), *high = c->kids[less ? 1 : 0];
    if (accept_mentions(high, d) || mentions_written(k, high, body)) return false;
    if (is_counter(low, d)) return true;
    if (low->kind != A_BINARY || low->op != OP_ADD) return false;
    const Ast *rest = is_counter(low->kids[0], d) ? low->kids[1] : is_counter(low->kids[1], d)
        ? low->kids[0] : NULL;
    return rest && !accept_mentions(rest, d) && !mentions_written(k, rest, body);
}

static bool is_signed(const Ast *x) {
    bool whole = x->type && x->type->kind == CT_SCALAR && type_is_int(x->type->scalar);
    return whole && type_is_signed(x->type->scalar);
}

// for (i = 0; 16 * i < n; i++)  is  for (i = 0; i < (n + 15) / 16; i++), of signed numbers.
static Ast *with_counter_alone(KernelRead *k, Ast *s) {
    const Decl *d = accept_counter(s);
    const Ast *c = d && s->kids[1] ? accept_strip(s->kids[1]) : NULL, *init = s->kids[0];
    const Ast *low = c && c->kind == A_BINARY && c->op == OP_LT ? accept_strip(c->kids[0]) : NULL;
    const Ast *start = NULL;
    bool declares = init && init->kind == A_DECLS && init->ndecls == 1 && init->decls[0] == d;
    if (!low || low->kind != A_BINARY || low->op != OP_MUL || !is_signed(low)) return s;
    if (declares) start = init->decls[0]->init;
    if (init && init->kind == A_EXPR && init->kids[0]->kind == A_ASSIGN) start = init->kids[0]->kids[1];
    int64_t first, by;
    int own = is_counter(low->kids[0], d) ? 0 : 1;
    bool plain = is_counter(low->kids[own], d) && kernel_const(k, low->kids[1 - own], &by) && by > 0;
    if (!plain || !start || !kernel_const(k, start, &first) || first < 0 || !is_signed(c->kids[1])) return s;
    if (accept_mentions(c->kids[1], d) || mentions_written(k, c->kids[1], s->kids[3])) return s;
    Ast *n = mk_op(k, OP_ADD, c->kids[1], mk_int(k, s, c->kids[1]->type->scalar, by - 1));
    n = mk_op(k, OP_DIV, n, mk_int(k, s, n->type->scalar, by));
    Ast *bare = mk_op(k, OP_LT, low->kids[own], n);
    Ast *loop = ast_make(k->a, A_FOR, s, NULL, 4, (Ast *[]){s->kids[0], bare, s->kids[2], s->kids[3]});
    loop->how = s->how;
    return loop;
}

// for (…; i + 3 < n; i += 4)  is  for (…; i < n - 3; i += 4), of signed numbers.
static Ast *with_bare_counter(KernelRead *k, Ast *s) {
    const Decl *d = accept_counter(s);
    const Ast *c = s->kids[1] ? accept_strip(s->kids[1]) : NULL;
    if (!d || !c || !is_upper_bound(k, c, d, s->kids[3])) return s;
    int at = c->op == OP_LT || c->op == OP_LE ? 0 : 1;
    Ast *sides[] = {c->kids[0], c->kids[1]};
    const Ast *low = accept_strip(sides[at]);
    if (is_counter(low, d) || !is_signed(sides[0]) || !is_signed(sides[1])) return s;
    int own = is_counter(low->kids[0], d) ? 0 : 1;
    sides[at] = low->kids[own];
    sides[1 - at] = mk_op(k, OP_SUB, sides[1 - at], low->kids[1 - own]);
    Ast *bare = mk_op(k, c->op, sides[0], sides[1]);
    Ast *loop = ast_make(k->a, A_FOR, s, NULL, 4, (Ast *[]){s->kids[0], bare, s->kids[2], s->kids[3]});
    loop->how = s->how;
    return loop;
}

// for (i = 0; i < 32; i++) { if (!(a + i < n)) break; s }  is  for (i = 0; i < 32; i++) if (a + i < n) s.
static Ast *with_one_bound(KernelRead *k, Ast *s) {
    Ast *body = s->kids[3];
    const Ast *leave = body && body->kind == A_BLOCK && body->nkids ? body->kids[0] : NULL;
    if (!leave || leave->kind != A_IF || (leave->nkids > 2 && leave->kids[2])) return s;
    const Ast *then = leave->kids[1], *no = accept_strip(leave->kids[0]);
    while (then->kind == A_BLOCK && then->nkids == 1) then = then->kids[0];
    const Decl *d = then->kind == A_BREAK && is_counted(k, s) ? accept_counter(s) : NULL;
    const Ast *inc = d ? own_step(s->kids[2], d) : NULL;
    Ast *rest = mk_block(k, body, body->nkids - 1, body->kids + 1);
    bool up = inc && inc->op == OP_ADD && no->kind == A_UNARY && no->op == OP_LNOT;
    if (!up || has(rest, A_BREAK, false) || !is_upper_bound(k, no->kids[0], d, rest)) return s;
    Ast *kids[] = {s->kids[0], s->kids[1], s->kids[2], mk_if(k, no->kids[0], rest)};
    Ast *loop = ast_make(k->a, A_FOR, s, NULL, 4, kids);
    loop->how = s->how;
    return loop;
}

// i = a; while (i < n) { …; i += s; } as a for loop; NULL: it is none. first: i = a; or NULL.
static Ast *while_as_for(Flow *f, const Ast *s, Ast *first) {
    KernelRead *k = f->k;
    const Ast *body = s->kids[s->nkids - 1];
    const Ast *last = body->kind == A_BLOCK && body->nkids ? body->kids[body->nkids - 1] : NULL;
    Ast *step = last && last->kind == A_EXPR ? last->kids[0] : NULL;
    bool steps = step && (step->kind == A_INCDEC || step->kind == A_ASSIGN) &&
        accept_strip(step->kids[0])->kind == A_REF;
    if (s->kind != A_WHILE || !steps || has(body, A_CONTINUE, false)) return NULL;
    const Decl *d = accept_strip(step->kids[0])->decl;
    Ast *rest = mk_block(k, body, body->nkids - 1, body->kids);
    bool begins = first && first->kind == A_DECLS && first->ndecls == 1 && first->decls[0] == d &&
        first->decls[0]->init &&
                  !is_used_behind(f->func->body, d, s->end);
    if (!d || accept_writes_decl(k->a, rest, d) || !accept_mentions(s->kids[0], d)) return NULL;
    return ast_make(k->a, A_FOR, s, NULL, 4, (Ast *[]){begins ? first : NULL, s->kids[0], step, rest});
}

static Ast *any_for(Flow *f, Ast *s, Around *in);

// for (…; go && i < n; i++) s, where nothing in the loop changes `go`, is  if (go) for (…; i < n; i++) s;
// for (…; i < n && i < m; i++), of numbers that stay, runs as far as the lesser. NULL: it is neither.
static Ast *with_one_condition(Flow *f, Ast *s, Around *in) {
    KernelRead *k = f->k;
    const Ast *both = s->kids[1] ? accept_strip(s->kids[1]) : NULL;
    const Ast *init = s->kids[0];
    bool own = !init || init->kind == A_DECLS || init->kind == A_EMPTY;
    if (!both || both->kind != A_BINARY || both->op != OP_LAND) return NULL;
    for (int i = 0; i < 2; i++) {
        Ast *one = both->kids[i], *other = both->kids[1 - i];
        Ast *loop = ast_make(k->a, A_FOR, s, NULL, 4, (Ast *[]){s->kids[0], other, s->kids[2], s->kids[3]});
        loop->how = s->how;
        bool stays = own && !mentions_written(k, one, s->kids[3]) && !mentions_written(k, one, s->kids[2]) &&
                     !has(one, A_INDEX, true) && !has(one, A_DEREF, true);
        for (int d = 0; stays && init && d < init->ndecls; d++) stays = !accept_mentions(one, init->decls[d]);
        if (stays) return stmt(f, mk_if(k, one, mk_block(k, s, 1, &loop)), in);
    }
    const Ast *x = accept_strip(both->kids[0]), *y = accept_strip(both->kids[1]);
    Ast *loop = ast_make(k->a, A_FOR, s, NULL, 4, (Ast *[]){s->kids[0], (Ast *)x, s->kids[2], s->kids[3]});
    loop->how = s->how;
    const Decl *d = is_counted(k, loop) ? accept_counter(loop) : NULL;
    bool less = d && x->op == OP_LT && y->kind == A_BINARY && y->op == OP_LT && is_counter(y->kids[0], d);
    if (!less || !is_counter(x->kids[0], d) || !is_upper_bound(k, y, d, s->kids[3])) return NULL;
    if (mentions_set(k, y->kids[1], s->kids[2])) return NULL;
    const CType *t = x->kids[1]->type, *u = y->kids[1]->type; // compared as the same type
    if (!t || !u || t->kind != CT_SCALAR || u->kind != CT_SCALAR || t->scalar != u->scalar) return NULL;
    Ast *first = mk_op(k, OP_LT, x->kids[1], y->kids[1]);
    Ast *least = ast_make(k->a, A_COND, s, t, 3, (Ast *[]){first, x->kids[1], y->kids[1]});
    loop->kids[1] = mk_op(k, OP_LT, x->kids[0], least);
    return any_for(f, loop, in);
}

static Ast *any_for(Flow *f, Ast *s, Around *in) {
    KernelRead *k = f->k;
    Ast *one = with_one_condition(f, s, in);
    if (one) return one;
    s = with_counter_alone(k, with_bare_counter(k, with_one_bound(k, s)));
    Ast *out = kernel_written_out(k, s);
    if (out) return stmt(f, out, in);
    Ast *init = s->kids[0];
    if (init && init->kind != A_DECLS && init->kind != A_EXPR && init->kind != A_EMPTY)
        init = ast_make(k->a, A_EXPR, init, NULL, 1, &init);
    bool counts = is_counted(k, s), sets = counts && init && init->kind == A_EXPR;
    if (sets && leaves(s) && lives_on(f, accept_counter(s), s, in)) { // worth what it was where it left
        Ast *loop = ast_make(k->a, A_FOR, s, NULL, 4, (Ast *[]){NULL, s->kids[1], s->kids[2], s->kids[3]});
        loop->how = s->how;
        return mk_block(k, s, 2, (Ast *[]){init, any_for(f, loop, in)});
    }
    Ast *own = counts ? with_own_counter(f, s, in) : NULL;
    if (own) return counted(f, own, in);
    Ast *loop = repeated(f, s, s->kids[1], s->kids[2], s->kids[3], false, in);
    return init ? mk_block(k, s, 2, (Ast *[]){init, loop}) : loop;
}

// ---- statements ----------------------------------------------------------------------------------------
static Ast *either(Flow *f, Ast *s, Around *in) {
    int64_t v;
    if (kernel_const(f->k, s->kids[0], &v)) {
        Ast *taken = v ? s->kids[1] : s->nkids > 2 ? s->kids[2] : NULL;
        return taken ? stmt(f, taken, in) : ast_make(f->k->a, A_EMPTY, s, NULL, 0, NULL);
    }
    for (int i = 1; i < s->nkids; i++)
        if (s->kids[i]) s->kids[i] = stmt(f, s->kids[i], in);
    return s;
}

// Variables that keep a value which the launch fixes.
static void learn(Flow *f, const Ast *s) {
    for (int i = 0; i < s->ndecls; i++) {
        Decl *d = s->decls[i];
        int64_t v;
        bool fixed = d->kind == D_VAR && d->type->kind == CT_SCALAR && type_is_int(d->type->scalar) &&
                     d->init && !d->address_taken && d->space == SPACE_NONE &&
                     !accept_writes_decl(f->k->a, f->func->body, d) &&
                     !(f->block && accept_writes_decl(f->k->a, f->block, d)); // a loop that was written out
        if (fixed && kernel_const(f->k, d->init, &v))
            kernel_learn(f->k, d, mk_int(f->k, s, d->type->scalar, v));
    }
}

static Ast *stmt(Flow *f, Ast *s, Around *in) {
    if (!s) return NULL;
    switch (s->kind) {
    case A_BLOCK: {
        const Ast *around = f->block;
        f->block = s;
        for (int i = 0; i < s->nkids; i++) {
            Ast *before = i ? s->kids[i - 1] : NULL;
            Ast *loop = s->kids[i]->kind == A_WHILE ? while_as_for(f, s->kids[i], before) : NULL;
            if (loop && loop->kids[0]) s->kids[i - 1] = ast_make(f->k->a, A_EMPTY, before, NULL, 0, NULL);
            s->kids[i] = stmt(f, loop ? loop : s->kids[i], in);
        }
        f->block = around;
        return s;
    }
    case A_DECLS: learn(f, s); return s;
    case A_IF: return either(f, s, in);
    case A_FOR: return any_for(f, s, in);
    case A_WHILE: return repeated(f, s, s->kids[0], NULL, s->kids[s->nkids - 1], false, in);
    case A_DO: return repeated(f, s, s->kids[1], NULL, s->kids[0], true, in);
    case A_BREAK: return in && in->go ? leave_loop(f, s, in) : s;
    case A_RETURN: return leave_function(f, s, in);
    default: return s;
    }
}

static bool returns_in_loop(const Ast *s) {
    if (!s) return false;
    bool loop = s->kind == A_FOR || s->kind == A_WHILE || s->kind == A_DO;
    if (loop && has(s, A_RETURN, true)) return true;
    for (int i = 0; i < s->nkids; i++)
        if (returns_in_loop(s->kids[i])) return true;
    return false;
}

static Ast *put_known(KernelRead *k, Ast *x) {
    const Ast *v = x->kind == A_REF && x->decl ? kernel_known(k, x->decl) : NULL;
    if (!v || x->decl->kind != D_VAR) return x;
    Ast *n = ast_make(k->a, v->kind, x, v->type, 0, NULL);
    n->i = v->i, n->f = v->f;
    return n;
}

Ast *kernel_flow(KernelRead *k, Decl *func) {
    Flow f = {.k = k, .func = func};
    VEC(Ast *) first = {0};
    if (returns_in_loop(func->body)) {
        f.alive = flag(&f, "alive", func->body);
        vec_push(k->a, &first, ast_declare(k->a, func->body, f.alive));
        const CType *t = func->type && func->type->kind == CT_FUNCTION ? func->type->of : NULL;
        if (t && t->kind != CT_VOID) {
            f.result = ast_variable(k->a, "result", t, NULL, func->loc);
            vec_push(k->a, &first, ast_declare(k->a, func->body, f.result));
        }
    }
    Ast *body = ast_map(k, stmt(&f, func->body, NULL), put_known);
    vec_push(k->a, &first, body);
    return first.n > 1 ? mk_block(k, func->body, first.n, first.at) : body;
}
