// SPDX-License-Identifier: MIT
// plain.c -- other ways to write for and if, made plain before anything looks at them.
//
//   while (i < n) { …; i++; }            for (; i < n; i++) { … }
//   for (; i < n;) { …; i++; }           the same
//   for (i = 0; i < n && i < m; i++)     for (i = 0; i < (n < m ? n : m); i++)
//   for (i = 0; i < n; i++) {            the same
//       if (i >= m) break; …
//       if (i < m) S else break;         if (i >= m) break; S
//   for (;; i++) { if (i >= n) break; …  for (; i < n; i++) { …
//   for (;;) { …; if (++i >= n) break; } do { …; } while (++i < n);
//   for (i = n; --i >= 0;) …             for (i = n - 1; i >= 0; --i) …
//   while (i-- > 0) …                    for (; i-- > 0;) …
//   for (i = 0, j = n - 1; i < n; j = i++) …    for (i = 0, j = n - 1; i < n; j = i, i++) …
//   for (T *p = a; p < a + n; p++) …     for (T *p = a, k = 0; k < n; k++, p++) … (plain_pointer.c)
//   switch (x) { case 1: …; break;       if (x == 1) … else … (plain_switch.c)
//                default: …; }
//   L: …                                 …, where nothing jumps to L
//
// What does not fit stays as it is, to be refused by name where it matters.
#include "front/accept.h"
#include "front/plain.h"

bool ast_has_jump(const Ast *s, AstKind jump) {
    if (!s) return false;
    if (s->kind == jump) return true;
    bool loop = s->kind == A_FOR || s->kind == A_WHILE || s->kind == A_DO;
    if (loop || (s->kind == A_SWITCH && jump == A_BREAK)) return false;
    for (int k = 0; k < s->nkids; k++)
        if (ast_has_jump(s->kids[k], jump)) return true;
    return false;
}

// ---- while ------------------------------------------------------------------------------------
// f, a for whose condition begins with `first`, in the place of x, if it counts.
static bool become_for(Arena *a, Ast *x, Ast *f, Ast *first) {
    Ast *cond = f->kids[1];
    f->kids[1] = first;
    const Decl *d = accept_counter(f);
    f->kids[1] = cond;
    if (!d || accept_writes_decl(a, f->kids[3], d)) return false;
    x->kind = A_FOR;
    x->nkids = 4;
    x->kids = f->kids;
    return true;
}

// i of ++i, which the condition at *at evaluates once before anything else of it.
static Ast **first_step(Ast **at) {
    while (*at && ((*at)->kind == A_CAST || ((*at)->kind == A_BINARY && (*at)->nkids == 2))) {
        bool choice = (*at)->op == OP_LAND || (*at)->op == OP_LOR, two = (*at)->kind == A_BINARY;
        at = &(*at)->kids[two && !choice && accept_strip((*at)->kids[1])->kind == A_INCDEC];
    }
    Ast *e = *at;
    const CType *t = e && e->kind == A_INCDEC && !e->postfix && e->kids[0]->kind == A_REF ? e->type : NULL;
    return t && t->kind == CT_SCALAR && type_is_int(t->scalar) && type_size(t->scalar) >= 4 ? at : NULL;
}

// What the counter i of f begins with, in the header; NULL: something else stands there, or nothing.
static Ast **beginning(Ast *f, const Ast *i) {
    Ast *init = f->kids[0];
    while (init && init->kind == A_EXPR) init = init->kids[0];
    if (!init) return NULL;
    Decl *last = init->kind == A_DECLS && init->ndecls ? init->decls[init->ndecls - 1] : NULL;
    if (last) return last == i->decl && last->init ? &last->init : NULL;
    bool sets = init->kind == A_ASSIGN && init->op == OP_SET && init->kids[0]->kind == A_REF;
    return sets && init->kids[0]->decl == i->decl ? &init->kids[1] : NULL;
}

// for (i = n; --i >= 0; …) S  →  for (i = n - 1; i >= 0; …, --i) S
static void step_from_condition(Arena *a, Ast *f) {
    Ast **at = first_step(&f->kids[1]), *step = at ? *at : NULL, *i = at ? step->kids[0] : NULL;
    if (!i || accept_writes_decl(a, f->kids[3], i->decl) ||
        (f->kids[2] && accept_writes_decl(a, f->kids[2], i->decl)))
        return;
    Ast **begin = beginning(f, i);
    if (!begin) return;
    const CType *t = i->type;
    bool whole = (*begin)->type->kind == CT_SCALAR && (*begin)->type->scalar == t->scalar;
    Ast *from = whole ? *begin : ast_make(a, A_CAST, *begin, t, 1, begin);
    *begin = ast_binary(a, step->op, t, from, ast_number(a, step, t, 1));
    *at = i;
    f->kids[2] = f->kids[2] ? ast_make(a, A_COMMA, step, t, 2, (Ast *[]){f->kids[2], step}) : step;
}

// j = i++  →  j = i, i++
static Ast *two_steps(Arena *a, Ast *inc) {
    if (inc && inc->kind == A_COMMA)
        for (int k = 0; k < inc->nkids; k++) inc->kids[k] = two_steps(a, inc->kids[k]);
    if (!inc || inc->kind != A_ASSIGN || inc->op != OP_SET || inc->kids[0]->kind != A_REF) return inc;
    Ast *from = inc->kids[1], *step = (Ast *)accept_strip(from);
    if (step->kind != A_INCDEC || !step->postfix || step->kids[0]->kind != A_REF ||
        step->kids[0]->decl == inc->kids[0]->decl || step->type->kind != CT_SCALAR ||
        from->type != step->type)
        return inc;
    Ast *set = ast_make(a, A_ASSIGN, inc, inc->type, 2, (Ast *[]){inc->kids[0], step->kids[0]});
    set->op = OP_SET, set->compute = inc->compute;
    return ast_make(a, A_COMMA, inc, step->type, 2, (Ast *[]){set, step});
}

// x, a while or a for without a step, whose condition or whose body's end is the step.
static void step_to_header(Arena *a, Ast *x) {
    bool is_for = x->kind == A_FOR;
    Ast *body = x->kids[is_for ? 3 : x->nkids - 1], *cond = x->kids[is_for ? 1 : 0],
        *init = is_for ? x->kids[0] : NULL;
    if (!body || !cond ||
        become_for(a, x, ast_make(a, A_FOR, x, NULL, 4, (Ast *[]){init, cond, NULL, body}), cond))
        return;
    bool block = body->kind == A_BLOCK;
    if ((block && !body->nkids) || ast_has_jump(body, A_CONTINUE)) return;
    Ast *last = block ? body->kids[body->nkids - 1] : body, *first = cond;
    if (last->kind != A_EXPR) return;
    while (first->kind == A_BINARY && first->op == OP_LAND) first = first->kids[0];
    Ast *rest = ast_make(a, A_BLOCK, body, NULL, block ? body->nkids - 1 : 0, body->kids);
    become_for(a, x, ast_make(a, A_FOR, x, NULL, 4, (Ast *[]){init, cond, last->kids[0], rest}), first);
}

// ---- two bounds ---------------------------------------------------------------------------------
// What is compared with the counter: names, numbers and operators that the body leaves as they are.
static bool is_steady_decl(Arena *a, const Ast *body, const Decl *d) {
    return !d->address_taken && !accept_writes_decl(a, body, d);
}

// Has it the same value in all iterations of a loop over i?
static bool is_steady(Arena *a, const Ast *body, const Decl *i, const Ast *root) {
    ast_each(e, root) {
        bool kind = e->kind == A_INT || e->kind == A_REF || e->kind == A_UNARY || e->kind == A_BINARY ||
                    e->kind == A_CAST || e->kind == A_COND;
        bool field = e->kind == A_FIELD && e->kids[0]->kind == A_REF && e->kids[0]->type &&
                     e->kids[0]->type->kind == CT_RECORD; // of a variable that nothing points to
        bool number = e->type && e->type->kind == CT_SCALAR && type_is_int(e->type->scalar);
        if (!number || !(kind || field)) return false;
        const Decl *d = field ? e->kids[0]->decl : e->kind == A_REF ? e->decl : NULL;
        if (d && (e->type->is_volatile || (field ? d->is_global : d == i) || !is_steady_decl(a, body, d)))
            return false;
        if (field) each_prune();
    }
    return true;
}

static Op negated(Op op) {
    switch (op) {
    case OP_LT: return OP_GE;
    case OP_LE: return OP_GT;
    case OP_GT: return OP_LE;
    case OP_GE: return OP_LT;
    case OP_EQ: return OP_NE;
    case OP_NE: return OP_EQ;
    default: return OP_SET;
    }
}

static bool is_ref(const Ast *e, const Decl *i) { return e->kind == A_REF && e->decl == i; }

static Ast *widened(Arena *a, Ast *x) {
    const CType *wide = ast_scalar(a, T_I64);
    return x->type->scalar == T_I64 ? x : ast_make(a, A_CAST, x, wide, 1, &x);
}

static bool is_binary_of_ints(const Ast *e, const Decl *i) {
    return e->kind == A_BINARY && e->nkids == 2 && e->type->kind == CT_SCALAR && e->type->scalar == T_I32 &&
           i->type->scalar == T_I32;
}

// The positive literal by which e is the counter's multiple; 0: it is none.
static int64_t times_counter(const Ast *e, const Decl *i) {
    e = accept_strip(e);
    if (is_ref(e, i)) return 1;
    for (int k = 0; k < 2 && is_binary_of_ints(e, i) && e->op == OP_MUL; k++) {
        const Ast *by = accept_strip(e->kids[1 - k]);
        if (is_ref(accept_strip(e->kids[k]), i) && by->kind == A_INT && by->i > 0) return by->i;
    }
    return 0;
}

// The counter's multiple, and a sum with it of ints.
typedef struct Beside {
    int64_t times;
    Ast *by; // what is added (op: OP_ADD) or subtracted; NULL: nothing
    Op op;
} Beside;

static bool is_beside(const Ast *e, const Decl *i, Beside *s) {
    *s = (Beside){.times = times_counter(e, i)};
    if (s->times) return true;
    if (!is_binary_of_ints(e, i) || (e->op != OP_ADD && e->op != OP_SUB)) return false;
    int k = times_counter(e->kids[0], i) ? 1 : 0;
    *s = (Beside){times_counter(e->kids[1 - k], i), e->kids[k], e->op};
    return s->times && (k || e->op == OP_ADD);
}

// x / q in 64 bits, rounded down, or up.
static Ast *rounded(Arena *a, Ast *x, int64_t q, bool up) {
    const CType *t = ast_scalar(a, T_I64);
    x = widened(a, x);
    Ast *by = ast_number(a, x, t, q), *less = ast_number(a, x, t, q - 1), *zero = ast_number(a, x, t, 0);
    Ast *above = up ? ast_binary(a, OP_ADD, t, x, less) : x;
    Ast *below = up ? x : ast_binary(a, OP_SUB, t, x, less);
    Ast *is_above = ast_binary(a, OP_GE, ast_scalar(a, T_I32), x, zero);
    return ast_make(a, A_COND, x, t, 3, (Ast *[]){is_above, ast_binary(a, OP_DIV, t, above, by),
                                                  ast_binary(a, OP_DIV, t, below, by)});
}

// n of i < n, which c says or (opposite) its contrary; op: the operator with i on its left. NULL: something
// else. Of i + k < n it is n - k in 64 bits, beyond an int perhaps; of 3 * i < n the third of n, rounded up.
static Ast *bound_in(Arena *a, const Ast *body, const Decl *i, const Ast *c, bool opposite, Op *op) {
    c = accept_strip(c);
    if (c->kind == A_UNARY && c->op == OP_LNOT) return bound_in(a, body, i, c->kids[0], !opposite, op);
    if (c->kind != A_BINARY || c->nkids != 2) return NULL;
    Beside s;
    bool first = is_beside(accept_strip(c->kids[0]), i, &s);
    if (!first && !is_beside(accept_strip(c->kids[1]), i, &s)) return NULL;
    Ast *other = c->kids[first ? 1 : 0], *own = c->kids[first ? 0 : 1];
    *op = first ? c->op : op_mirrored(c->op);
    if (opposite) *op = negated(*op);
    bool same = own->type->kind == CT_SCALAR && own->type->scalar == i->type->scalar &&
                type_size(i->type->scalar) >= 4;
    bool wide = own->type->kind == CT_SCALAR && own->type->scalar == T_I64 && i->type->scalar == T_I32;
    bool less = *op == OP_LT || *op == OP_LE || *op == OP_GT || *op == OP_GE;
    bool steady = is_steady(a, body, i, other) && is_steady(a, body, i, s.by);
    if (!steady || !less || !(same || wide)) return NULL;
    if (s.by)
        other = ast_binary(a, s.op == OP_ADD ? OP_SUB : OP_ADD, ast_scalar(a, T_I64), widened(a, other),
                           widened(a, s.by));
    return s.times > 1 ? rounded(a, other, s.times, *op == OP_LT || *op == OP_GE) : other;
}

// One comparison for two of one counter: the lesser bound going up, the greater one going down. 32-bit bounds
// of <= and >= are moved by one in 64 bits, where that can't wrap.
static Ast *both_bounds(Arena *a, const Ast *f, const Decl *i, const Ast *x, const Ast *y, bool y_opposite) {
    Op ox, oy;
    Ast *bx = bound_in(a, f->kids[3], i, x, false, &ox), *by = bound_in(a, f->kids[3], i, y, y_opposite, &oy);
    if (!bx || !by) return NULL;
    bool up = ox == OP_LT || ox == OP_LE, is_short = type_size(i->type->scalar) == 4;
    if (up != (oy == OP_LT || oy == OP_LE)) return NULL;
    const CType *t = i->type, *truth = ast_scalar(a, T_I32);
    bool far = is_short && (bx->type->scalar == T_I64 || by->type->scalar == T_I64);
    if (ox != oy || far) {
        if (!is_short) return NULL;
        t = ast_scalar(a, T_I64);
        bx = widened(a, bx);
        by = widened(a, by);
    }
    if (ox != oy) {
        Ast **closed = ox == OP_LE || ox == OP_GE ? &bx : &by;
        *closed = ast_binary(a, up ? OP_ADD : OP_SUB, t, *closed, ast_number(a, *closed, t, 1));
        ox = up ? OP_LT : OP_GT;
    }
    Ast *less = ast_binary(a, up ? OP_LT : OP_GT, truth, bx, by);
    Ast *bound = ast_make(a, A_COND, x, t, 3, (Ast *[]){less, bx, by});
    Ast *ref = ast_make(a, A_REF, x, i->type, 0, NULL);
    ref->decl = (Decl *)i;
    if (far) ref = widened(a, ref);
    else if (t != i->type) bound = ast_make(a, A_CAST, bound, i->type, 1, &bound);
    return ast_binary(a, ox, truth, ref, bound);
}

static const Decl *changed_in(const Ast *inc) {
    bool changes = inc && (inc->kind == A_INCDEC || inc->kind == A_ASSIGN) && inc->kids[0]->kind == A_REF;
    const CType *t = changes ? inc->kids[0]->type : NULL;
    return t && t->kind == CT_SCALAR && type_is_int(t->scalar) ? inc->kids[0]->decl : NULL;
}

// for (i = 0; i < n && i < m; i++)
static void join_bounds(Arena *a, Ast *f, const Decl *i, Ast **cond) {
    Ast *c = *cond;
    if (!c || c->kind != A_BINARY || c->op != OP_LAND) return;
    join_bounds(a, f, i, &c->kids[0]);
    join_bounds(a, f, i, &c->kids[1]);
    Ast *one = both_bounds(a, f, i, c->kids[0], c->kids[1], false);
    if (one) *cond = one;
}

// for (…; i < n && c; …) S  →  for (…; i < n; …) { if (!c) break; S }
static void leave_by_break(Arena *a, Ast *f, const Decl *i) {
    Ast *c = f->kids[1], *body = f->kids[3];
    Op op;
    if (c->kind != A_BINARY || c->op != OP_LAND || !bound_in(a, body, i, c->kids[0], false, &op)) return;
    Ast *no = ast_make(a, A_UNARY, c, ast_scalar(a, T_I32), 1, &c->kids[1]);
    no->op = OP_LNOT;
    Ast *out = ast_make(a, A_IF, c, NULL, 2, (Ast *[]){no, ast_make(a, A_BREAK, c, NULL, 0, NULL)});
    f->kids[3] = ast_make(a, A_BLOCK, body, NULL, 2, (Ast *[]){out, body});
    f->kids[1] = c->kids[0];
}

// What a block consists of.
static Ast *only(Ast *s) {
    while (s && s->kind == A_BLOCK && s->nkids == 1) s = s->kids[0];
    return s;
}

// The condition of `if (c) break;`, the first or last statement of the body.
static Ast *break_at(const Ast *body, bool last) {
    bool some = body && body->kind == A_BLOCK && body->nkids;
    const Ast *s = some ? body->kids[last ? body->nkids - 1 : 0] : NULL;
    if (!s || s->kind != A_IF || (s->nkids > 2 && s->kids[2])) return NULL;
    return only(s->kids[1])->kind == A_BREAK ? s->kids[0] : NULL;
}

static void bounds_of(Arena *a, Ast *f) {
    const Decl *i = changed_in(f->kids[2]);
    if (!i || !f->kids[1] || i->address_taken || accept_writes_decl(a, f->kids[3], i)) return;
    join_bounds(a, f, i, &f->kids[1]);
    leave_by_break(a, f, i);
    for (const Ast *c = break_at(f->kids[3], false); c; c = break_at(f->kids[3], false)) {
        Ast *one = both_bounds(a, f, i, f->kids[1], c, true), *body = f->kids[3];
        if (!one) return;
        f->kids[1] = one;
        f->kids[3] = ast_make(a, A_BLOCK, body, NULL, body->nkids - 1, body->kids + 1);
    }
}

// ---- loops without a condition --------------------------------------------------------------------
// What holds where c does not.
static Ast *contrary(Arena *a, Ast *c) {
    const CType *truth = ast_scalar(a, T_I32), *t = c->kind == A_BINARY ? c->kids[0]->type : NULL;
    if (c->kind == A_UNARY && c->op == OP_LNOT) return c->kids[0];
    if (c->kind == A_BINARY && c->op == OP_LOR)
        return ast_binary(a, OP_LAND, truth, contrary(a, c->kids[0]), contrary(a, c->kids[1]));
    bool whole = t && (t->kind == CT_POINTER || (t->kind == CT_SCALAR && type_is_int(t->scalar)));
    Op op = whole ? negated(c->op) : OP_SET;
    if (op != OP_SET) return ast_binary(a, op, truth, c->kids[0], c->kids[1]);
    Ast *no = ast_make(a, A_UNARY, c, truth, 1, &c);
    no->op = OP_LNOT;
    return no;
}

static bool is_comparison(const Ast *e) { return e->kind == A_BINARY && negated(e->op) != OP_SET; }

static void unwrap(Ast **body) {
    while (*body && (*body)->kind == A_BLOCK && (*body)->nkids == 1 && (*body)->kids[0]->kind == A_BLOCK)
        *body = (*body)->kids[0];
}

// if (c) S else break;  →  { if (!c) break; S }
static void break_first(Arena *a, Ast *x) {
    Ast *other = x->nkids > 2 ? only(x->kids[2]) : NULL;
    if (!other || other->kind != A_BREAK) return;
    Ast *out = ast_make(a, A_IF, x, NULL, 2, (Ast *[]){contrary(a, x->kids[0]), other});
    *x = *ast_make(a, A_BLOCK, x, NULL, 2, (Ast *[]){out, x->kids[1]});
}

// x, a for or while that nothing but `if (c) break;` ends, at its body's beginning or end.
static void condition_of_break(Arena *a, Ast *x) {
    bool is_for = x->kind == A_FOR;
    Ast **cond = &x->kids[is_for ? 1 : 0], **body = &x->kids[is_for ? 3 : x->nkids - 1];
    if (*cond && !((*cond)->kind == A_INT && (*cond)->i)) return;
    Ast *c = break_at(*body, false), *b = *body;
    if (c) {
        *cond = contrary(a, c);
        *body = ast_make(a, A_BLOCK, b, NULL, b->nkids - 1, b->kids + 1);
        return;
    }
    c = break_at(b, true);
    bool bare = !is_for || (!x->kids[2] && (!x->kids[0] || x->kids[0]->kind == A_EMPTY));
    if (!c || !bare || ast_has_jump(b, A_CONTINUE)) return;
    b = ast_make(a, A_BLOCK, b, NULL, b->nkids - 1, b->kids);
    x->kids = ast_make(a, A_DO, x, NULL, 2, (Ast *[]){b, contrary(a, c)})->kids;
    x->kind = A_DO;
    x->nkids = 2;
}

// ---- the pass ---------------------------------------------------------------------------------
// Those that stand behind x's label have gone before.
static void drop_label(const Ast *body, Ast *x) {
    ast_each(e, body) {
        if (e->kind == A_GOTO && str_eq(e->name, x->name)) return;
        if (e->kind == A_OTHER && (str_eq(e->name, "AddrLabelExpr") || str_eq(e->name, "GCCAsmStmt"))) return;
    }
    *x = *x->kids[0];
}

typedef struct Plain {
    Arena *a;
    const Ast *body; // of the function
    bool kernels;
    int switches;
} Plain;

static void plain(Plain *p, Ast *x) {
    if (!x) return;
    for (int k = 0; x->kind == A_BLOCK && !p->kernels && k < x->nkids; k++) plain_flag(p->a, x, k);
    for (int k = 0; k < x->nkids; k++) plain(p, x->kids[k]);
    if (x->kind == A_LABEL) drop_label(p->body, x);
    if (x->kind == A_IF && !p->kernels) break_first(p->a, x);
    if (x->kind == A_FOR) unwrap(&x->kids[3]);
    if (x->kind == A_FOR || x->kind == A_WHILE) condition_of_break(p->a, x);
    Ast **cond = x->kind == A_FOR ? &x->kids[1] : x->kind == A_WHILE ? &x->kids[0] : NULL;
    Ast *c = cond ? *cond : NULL;
    if (c && c->kind == A_UNARY && c->op == OP_LNOT && is_comparison(c->kids[0]))
        *cond = contrary(p->a, c->kids[0]); // while (!(i >= n))
    if (x->kind == A_FOR) step_from_condition(p->a, x), x->kids[2] = two_steps(p->a, x->kids[2]);
    if (x->kind == A_WHILE || (x->kind == A_FOR && x->kids[1] && !x->kids[2])) step_to_header(p->a, x);
    if (plain_pointer(p->a, x)) return;
    if (x->kind == A_FOR) bounds_of(p->a, x);
    if (x->kind != A_SWITCH) return;
    plain_switch(p->a, x, p->kernels ? NULL : arena_printf(p->a, "end of switch %d", p->switches++));
}

void plain_forms(Compile *c, AstUnit *u, bool kernels) {
    for (int k = 0; k < u->nfuncs; k++) {
        Plain p = {.a = c->arena, .body = u->funcs[k]->body, .kernels = kernels};
        plain(&p, u->funcs[k]->body);
    }
}
