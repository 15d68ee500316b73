// SPDX-License-Identifier: MIT
// plain.c -- other ways to write for and if, made plain before anything looks at them.
//
//   while (i < n) { …; i++; }            for (; i < n; i++) { … }
//   for (; i < n;) { …; i++; }           the same
//   for (unsigned i = n; i-- > 0;) …     for (long long k = (long long)n - 1; k >= 0; k--) …
//   for (T *p = a; p < a + n; p++) …     for (long long k = 0; k < n; k++) { T *p = a + k; … }
//   switch (x) { case 1: …; break;       if (x == 1) … else …
//                default: …; }
//
// What does not fit stays as it is, to be refused by name where it matters.
#include "front/accept.h"
#include "front/plain.h"

Ast *ast_make(Arena *a, AstKind kind, const Ast *like, const CType *type, int n, Ast *const *kids) {
    Ast *x = NEW(a, Ast);
    *x = (Ast){.kind = kind, .loc = like->loc, .begin = like->begin, .end = like->end, .type = type};
    x->nkids = n;
    x->kids = NEW_N(a, Ast *, n + 1);
    for (int k = 0; k < n; k++) x->kids[k] = kids[k];
    return x;
}

const CType *ast_scalar(Arena *a, Type t) {
    CType *n = NEW(a, CType);
    *n = (CType){.kind = CT_SCALAR, .text = accept_type_text(t), .scalar = t, .bytes = type_size(t)};
    return n;
}

Ast *ast_number(Arena *a, const Ast *like, const CType *type, int64_t v) {
    Ast *x = ast_make(a, A_INT, like, type, 0, NULL);
    x->i = v;
    return x;
}

Ast *ast_binary(Arena *a, Op op, const CType *type, Ast *x, Ast *y) {
    Ast *e = ast_make(a, A_BINARY, x, type, 2, (Ast *[]){x, y});
    e->op = op;
    return e;
}

// Is there such a statement in s that belongs to the loop or switch around s?
static bool has_jump(const Ast *s, AstKind jump) {
    if (!s) return false;
    if (s->kind == jump) return true;
    bool loop = s->kind == A_FOR || s->kind == A_WHILE || s->kind == A_DO;
    if (loop || (s->kind == A_SWITCH && jump == A_BREAK)) return false;
    for (int k = 0; k < s->nkids; k++)
        if (has_jump(s->kids[k], jump)) return true;
    return false;
}

// ---- while ------------------------------------------------------------------------------------
// x, a while or a for without a step, whose body ends with the step.
static void step_to_header(Arena *a, Ast *x) {
    bool is_for = x->kind == A_FOR;
    Ast *body = x->kids[is_for ? 3 : x->nkids - 1], *cond = x->kids[is_for ? 1 : 0];
    if (!body || !cond || body->kind != A_BLOCK || body->nkids < 2 || has_jump(body, A_CONTINUE)) return;
    Ast *last = body->kids[body->nkids - 1];
    if (last->kind != A_EXPR) return;
    Ast *rest = ast_make(a, A_BLOCK, body, NULL, body->nkids - 1, body->kids);
    Ast *kids[4] = {is_for ? x->kids[0] : NULL, cond, last->kids[0], rest};
    Ast *f = ast_make(a, A_FOR, x, NULL, 4, kids);
    const Decl *d = accept_counter(f);
    if (!d || accept_writes_decl(a, rest, d)) return;
    x->kind = A_FOR;
    x->nkids = 4;
    x->kids = f->kids;
}

// ---- i-- > 0 ----------------------------------------------------------------------------------
static bool is_zero(const Ast *x) {
    x = accept_strip(x);
    return x->kind == A_INT && x->i == 0;
}

// The variable of i-- > 0, i-- != 0 and i--.
static Decl *counted_down(const Ast *c) {
    c = accept_strip(c);
    if (c->kind == A_BINARY) {
        if ((c->op != OP_GT && c->op != OP_NE) || !is_zero(c->kids[1])) return NULL;
        c = accept_strip(c->kids[0]);
    }
    bool down = c->kind == A_INCDEC && c->postfix && c->op == OP_SUB && c->kids[0]->kind == A_REF;
    return down ? c->kids[0]->decl : NULL;
}

typedef struct Swap {
    Arena *a;
    Decl *from, *to;
} Swap;

// References to one variable become the other's value in its type.
static bool swap(const Ast *e, void *arg) {
    Swap *s = arg;
    for (int k = 0; k < e->nkids; k++) {
        Ast *x = e->kids[k];
        if (!x || x->kind != A_REF || x->decl != s->from) continue;
        Ast *ref = ast_make(s->a, A_REF, x, s->to->type, 0, NULL);
        ref->decl = s->to;
        e->kids[k] = ast_make(s->a, A_CAST, x, x->type, 1, &ref);
    }
    for (int k = 0; k < e->ndecls; k++) {
        Ast *x = e->decls[k]->init;
        if (!x || x->kind != A_REF || x->decl != s->from) continue;
        Ast *ref = ast_make(s->a, A_REF, x, s->to->type, 0, NULL);
        ref->decl = s->to;
        e->decls[k]->init = ast_make(s->a, A_CAST, x, x->type, 1, &ref);
    }
    return true;
}

static void down_to_header(Arena *a, Ast *x) {
    Ast *init = x->kids[0];
    Decl *i = x->kids[1] && !x->kids[2] ? counted_down(x->kids[1]) : NULL;
    bool own = i && init && init->kind == A_DECLS && init->ndecls == 1 && init->decls[0] == i && i->init;
    if (!own || i->type->kind != CT_SCALAR || !type_is_int(i->type->scalar) || i->address_taken) return;
    if (i->type->is_volatile || accept_writes_decl(a, x->kids[3], i)) return;
    const CType *wide = ast_scalar(a, T_I64), *truth = ast_scalar(a, T_I32);
    Decl *k = NEW(a, Decl);
    *k = *i;
    k->type = wide;
    Ast *from = ast_make(a, A_CAST, i->init, i->type, 1, &i->init);
    from = ast_make(a, A_CAST, i->init, wide, 1, &from);
    k->init = ast_binary(a, OP_SUB, wide, from, ast_number(a, from, wide, 1));
    Ast *ref = ast_make(a, A_REF, x->kids[1], wide, 0, NULL);
    ref->decl = k;
    Ast *step = ast_make(a, A_INCDEC, ref, wide, 1, &ref);
    step->op = OP_SUB;
    step->postfix = true;
    Ast *decls = ast_make(a, A_DECLS, init, NULL, 0, NULL);
    decls->ndecls = 1;
    decls->decls = NEW_N(a, Decl *, 1);
    decls->decls[0] = k;
    x->kids[0] = decls;
    x->kids[1] = ast_binary(a, OP_GE, truth, ref, ast_number(a, ref, wide, 0));
    x->kids[2] = step;
    accept_walk(x->kids[3], swap, &(Swap){a, i, k});
}

// ---- pointers that count ------------------------------------------------------------------------
static Decl *named(const Ast *x) {
    x = x ? accept_strip(x) : NULL;
    return x && x->kind == A_REF ? x->decl : NULL;
}

// n of `a + n`, in elements of that size; NULL: something else.
static Ast *elements_behind(const Ast *x, const Decl *a, int64_t bytes) {
    x = accept_strip(x);
    if (x->kind != A_BINARY || x->op != OP_ADD || !x->type || x->type->kind != CT_POINTER) return NULL;
    if (bytes <= 0 || x->type->of->bytes != bytes) return NULL;
    return named(x->kids[0]) == a ? x->kids[1] : named(x->kids[1]) == a ? x->kids[0] : NULL;
}

static void pointer_to_counter(Arena *a, Ast *x) {
    Ast *init = x->kids[0], *cond = x->kids[1], *inc = x->kids[2];
    Decl *p = init && init->kind == A_DECLS && init->ndecls == 1 ? init->decls[0] : NULL;
    Decl *base = p && p->type->kind == CT_POINTER ? named(p->init) : NULL;
    if (!base || !cond || cond->kind != A_BINARY || (cond->op != OP_LT && cond->op != OP_NE)) return;
    if (named(cond->kids[0]) != p || !inc || inc->kind != A_INCDEC || inc->op != OP_ADD) return;
    Ast *count = elements_behind(cond->kids[1], base, p->type->of->bytes);
    bool fixed = named(inc->kids[0]) == p && !p->address_taken && !base->address_taken &&
                 !accept_writes_decl(a, x->kids[3], p) && !accept_writes_decl(a, x->kids[3], base);
    if (!count || !fixed || base->is_global || !count->type || count->type->kind != CT_SCALAR) return;
    const CType *wide = ast_scalar(a, T_I64), *truth = ast_scalar(a, T_I32);
    Decl *k = NEW(a, Decl);
    *k = (Decl){.kind = D_VAR, .name = arena_printf(a, "%s_at", p->name), .type = wide, .loc = p->loc,
                .init = ast_number(a, init, wide, 0)};
    Ast *ref = ast_make(a, A_REF, init, wide, 0, NULL), *step = ast_make(a, A_INCDEC, inc, wide, 1, &ref);
    ref->decl = k;
    step->op = OP_ADD;
    step->postfix = true;
    Ast *counter = ast_make(a, A_DECLS, init, NULL, 0, NULL);
    counter->ndecls = 1;
    counter->decls = NEW_N(a, Decl *, 1);
    counter->decls[0] = k;
    p->init = ast_binary(a, OP_ADD, p->type, p->init, ref);
    x->kids[3] = ast_make(a, A_BLOCK, x->kids[3], NULL, 2, (Ast *[]){init, x->kids[3]});
    x->kids[2] = step;
    x->kids[1] = ast_binary(a, cond->op, truth, ref, ast_make(a, A_CAST, count, wide, 1, &count));
    x->kids[0] = counter;
}

// ---- switch -----------------------------------------------------------------------------------
typedef VEC(Ast *) Asts;

// The statements behind one or more labels.
typedef struct Arm {
    Asts labels, stmts;
    bool is_default, ended;
} Arm;

typedef struct Arms {
    Arena *a;
    VEC(Arm) at;
    bool failed;
} Arms;

static bool is_label(const Ast *s) {
    return s->kind == A_OTHER && (str_eq(s->name, "CaseStmt") || str_eq(s->name, "DefaultStmt"));
}

static bool has_label(const Ast *s) {
    if (!s) return false;
    if (is_label(s)) return true;
    for (int k = 0; k < s->nkids; k++)
        if (has_label(s->kids[k])) return true;
    return false;
}

static void put_stmt(Arms *arms, Ast *s) {
    Arm *arm = arms->at.n ? &arms->at.at[arms->at.n - 1] : NULL;
    if (!arm || arm->ended || s->kind == A_DECLS || has_label(s)) {
        arms->failed = true;
        return;
    }
    if (s->kind == A_BREAK) {
        arm->ended = true;
        return;
    }
    if (s->kind == A_BLOCK && s->nkids && s->kids[s->nkids - 1]->kind == A_BREAK) {
        s = ast_make(arms->a, A_BLOCK, s, NULL, s->nkids - 1, s->kids);
        arm->ended = true;
    }
    arm->ended |= s->kind == A_RETURN || s->kind == A_CONTINUE;
    arms->failed |= has_jump(s, A_BREAK);
    vec_push(arms->a, &arm->stmts, s);
}

static void put_kid(Arms *arms, Ast *s) {
    if (!is_label(s)) {
        put_stmt(arms, s);
        return;
    }
    Arm *last = arms->at.n ? &arms->at.at[arms->at.n - 1] : NULL;
    if (!last || last->stmts.n || last->ended) {
        arms->failed |= last && !last->ended; // it falls through
        vec_push(arms->a, &arms->at, (Arm){0});
        last = &arms->at.at[arms->at.n - 1];
    }
    bool is_case = str_eq(s->name, "CaseStmt");
    if (s->nkids != (is_case ? 2 : 1)) {
        arms->failed = true;
        return;
    }
    const Ast *label = is_case ? s->kids[0] : NULL;
    if (label && label->kind == A_EXPR) label = label->kids[0];
    if (label) label = accept_strip(label);
    if (label && label->kind != A_INT) arms->failed = true;
    else if (label) vec_push(arms->a, &last->labels, (Ast *)label);
    else last->is_default = true;
    put_kid(arms, s->kids[s->nkids - 1]);
}

static bool find_effect(const Ast *e, void *arg) {
    *(bool *)arg |= e->kind == A_ASSIGN || e->kind == A_INCDEC || e->kind == A_CALL || e->kind == A_OTHER;
    return true;
}

static Ast *arm_block(Arena *a, const Arm *arm, const Ast *like) {
    return ast_make(a, A_BLOCK, arm->stmts.n ? arm->stmts.at[0] : like, NULL, arm->stmts.n, arm->stmts.at);
}

static Ast *arm_cond(Arena *a, const Arm *arm, Ast *value) {
    const CType *truth = ast_scalar(a, T_I32);
    Ast *all = NULL;
    for (int k = 0; k < arm->labels.n; k++) {
        Ast *same = ast_binary(a, OP_EQ, truth, value, ast_number(a, value, value->type, arm->labels.at[k]->i));
        all = all ? ast_binary(a, OP_LOR, truth, all, same) : same;
    }
    return all;
}

static void switch_to_if(Arena *a, Ast *x) {
    Ast *value = x->nkids == 2 ? x->kids[0] : NULL, *body = value ? x->kids[1] : NULL;
    bool effect = false;
    if (value) accept_walk(value, find_effect, &effect);
    if (!value || effect || body->kind != A_BLOCK || !value->type || value->type->kind != CT_SCALAR) return;
    Arms arms = {.a = a};
    for (int k = 0; k < body->nkids && !arms.failed; k++) put_kid(&arms, body->kids[k]);
    if (arms.failed || !arms.at.n) return;
    Ast *chain = NULL;
    for (int k = 0; k < arms.at.n; k++)
        if (arms.at.at[k].is_default) chain = arm_block(a, &arms.at.at[k], x);
    for (int k = arms.at.n - 1; k >= 0; k--) {
        const Arm *arm = &arms.at.at[k];
        if (arm->is_default) continue;
        Ast *kids[3] = {arm_cond(a, arm, value), arm_block(a, arm, x), chain};
        chain = ast_make(a, A_IF, kids[1], NULL, 3, kids);
    }
    x->kind = A_BLOCK;
    x->nkids = 1;
    x->kids[0] = chain;
}

// ---- the pass ---------------------------------------------------------------------------------
static void plain(Arena *a, Ast *x) {
    if (!x) return;
    for (int k = 0; k < x->nkids; k++) plain(a, x->kids[k]);
    if (x->kind == A_WHILE || (x->kind == A_FOR && x->kids[1] && !x->kids[2])) step_to_header(a, x);
    if (x->kind == A_FOR) {
        down_to_header(a, x);
        pointer_to_counter(a, x);
    }
    if (x->kind == A_SWITCH) switch_to_if(a, x);
}

void plain_forms(Compile *c, AstUnit *u) {
    for (int k = 0; k < u->nfuncs; k++) plain(c->arena, u->funcs[k]->body);
}
