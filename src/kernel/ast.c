// SPDX-License-Identifier: MIT
// ast.c -- makes and maps Ast for the passes over kernels.
#include "kernel/pass.h"

Ast *mk_int(KernelRead *k, const Ast *like, Type t, int64_t v) {
    return ast_number(k->a, like, ast_scalar(k->a, t), v);
}

static bool gives_truth(Op op) {
    return op == OP_LT || op == OP_LE || op == OP_GT || op == OP_GE || op == OP_EQ || op == OP_NE ||
           op == OP_LAND || op == OP_LOR;
}

Ast *mk_op(KernelRead *k, Op op, Ast *x, Ast *y) {
    return ast_binary(k->a, op, gives_truth(op) ? ast_scalar(k->a, T_I32) : x->type, x, y);
}

Ast *mk_not(KernelRead *k, Ast *x) {
    Ast *e = ast_make(k->a, A_UNARY, x, ast_scalar(k->a, T_I32), 1, &x);
    e->op = OP_LNOT;
    return e;
}

Ast *mk_cast(KernelRead *k, const CType *t, Ast *x) {
    bool same = x->type && x->type->kind == CT_SCALAR && t->kind == CT_SCALAR && x->type->scalar == t->scalar;
    return same ? x : ast_make(k->a, A_CAST, x, t, 1, &x);
}

Ast *mk_set(KernelRead *k, Ast *x, Ast *y) { return ast_set(k->a, y, x, y); }

Ast *mk_block(KernelRead *k, const Ast *like, int n, Ast *const *kids) {
    return ast_make(k->a, A_BLOCK, like, NULL, n, kids);
}

Ast *mk_if(KernelRead *k, Ast *cond, Ast *then) {
    return ast_make(k->a, A_IF, cond, NULL, 3, (Ast *[]){cond, then, NULL});
}

Ast *mk_for(KernelRead *k, const Ast *like, Decl *i, Ast *hi, How how, Ast *body) {
    i->init = mk_int(k, like, T_I32, 0);
    Ast *init = ast_declare(k->a, like, i), *cond = mk_op(k, OP_LT, ast_ref(k->a, like, i), hi);
    Ast *inc = ast_make(k->a, A_INCDEC, like, i->type, 1, (Ast *[]){ast_ref(k->a, like, i)});
    inc->op = OP_ADD;
    Ast *f = ast_make(k->a, A_FOR, like, NULL, 4, (Ast *[]){init, cond, inc, body});
    f->how = how;
    return f;
}

// ---- copies ------------------------------------------------------------------------------
// Declarations stay the same objects unless their initialiser changes; a copy of the body binds
// them anew.
typedef struct Replace {
    KernelRead *k;
    const Decl *from;
    Ast *to;
    VEC(Decl *) old;
    VEC(Decl *) made;
} Replace;

static Ast *copy(Replace *r, const Ast *x);

static Decl *copy_decl(Replace *r, Decl *d) {
    Decl *n = NEW(r->k->a, Decl);
    *n = *d;
    vec_push(r->k->a, &r->old, d);
    vec_push(r->k->a, &r->made, n);
    n->init = copy(r, d->init);
    return n;
}

static Decl *renamed(Replace *r, Decl *d) {
    for (int i = r->old.n - 1; i >= 0; i--)
        if (r->old.at[i] == d) return r->made.at[i];
    return d;
}

static Ast *copy(Replace *r, const Ast *x) {
    if (!x) return NULL;
    if (r->to && x->kind == A_REF && x->decl == r->from) return r->to;
    Ast *n = NEW(r->k->a, Ast);
    *n = *x;
    n->kids = NEW_N(r->k->a, Ast *, x->nkids + 1);
    n->decls = NEW_N(r->k->a, Decl *, x->ndecls + 1);
    for (int i = 0; i < x->ndecls; i++) {
        bool own = x->decls[i]->space != SPACE_SHARED && x->decls[i]->kind == D_VAR;
        n->decls[i] = own ? copy_decl(r, x->decls[i]) : x->decls[i];
    }
    for (int i = 0; i < x->nkids; i++) n->kids[i] = copy(r, x->kids[i]);
    if (x->decl && x->kind == A_REF) n->decl = renamed(r, x->decl);
    return n;
}

Ast *ast_replace(KernelRead *k, const Ast *x, const Decl *d, Ast *value) {
    Replace r = {.k = k, .from = d, .to = value};
    return copy(&r, x);
}

Ast *ast_map(KernelRead *k, Ast *x, AstMap *map) {
    if (!x) return NULL;
    for (int i = 0; i < x->nkids; i++) x->kids[i] = ast_map(k, x->kids[i], map);
    for (int i = 0; i < x->ndecls; i++)
        if (x->decls[i]->kind == D_VAR) x->decls[i]->init = ast_map(k, x->decls[i]->init, map);
    return map(k, x);
}
