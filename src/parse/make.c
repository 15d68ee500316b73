// SPDX-License-Identifier: MIT
// make.c -- trees that no text says, at the place of one that does
#include "parse/ast.h"

Ast *ast_make(Arena *a, AstKind kind, const Ast *like, const CType *type, int n, Ast *const *kids) {
    Ast *x = NEW(a, Ast);
    *x = (Ast){.kind = kind, .loc = like->loc, .begin = like->begin, .end = like->end, .type = type};
    x->nkids = n;
    x->kids = NEW_N(a, Ast *, n + 1);
    for (int k = 0; k < n; k++) x->kids[k] = kids[k];
    return x;
}

const char *ast_scalar_text(Type t) {
    switch (t) {
    case T_BOOL: return "_Bool";
    case T_I8: return "signed char";
    case T_U8: return "unsigned char";
    case T_I16: return "short";
    case T_U16: return "unsigned short";
    case T_I32: return "int";
    case T_U32: return "unsigned int";
    case T_I64: return "long long";
    case T_U64: return "unsigned long long";
    case T_F32: return "float";
    case T_F64: return "double";
    default: return "void";
    }
}

const CType *ast_scalar(Arena *a, Type t) {
    return NEW_AS(a, CType, (CType){.kind = CT_SCALAR, .text = ast_scalar_text(t), .scalar = t,
                                    .bytes = type_size(t)});
}

Ast *ast_number(Arena *a, const Ast *like, const CType *type, int64_t v) {
    Ast *x = ast_make(a, A_INT, like, type, 0, NULL);
    x->i = v;
    return x;
}

Ast *ast_ref(Arena *a, const Ast *like, Decl *d) {
    Ast *x = ast_make(a, A_REF, like, d->type, 0, NULL);
    x->decl = d;
    x->name = d->name;
    return x;
}

Ast *ast_binary(Arena *a, Op op, const CType *type, Ast *x, Ast *y) {
    Ast *e = ast_make(a, A_BINARY, x, type, 2, (Ast *[]){x, y});
    e->op = op;
    return e;
}

Ast *ast_set(Arena *a, const Ast *like, Ast *x, Ast *y) {
    Ast *e = ast_make(a, A_ASSIGN, like, x->type, 2, (Ast *[]){x, y});
    e->op = OP_SET;
    return ast_make(a, A_EXPR, like, NULL, 1, &e);
}

Decl *ast_variable(Arena *a, const char *name, const CType *type, Ast *init, Loc loc) {
    return NEW_AS(a, Decl, (Decl){.kind = D_VAR, .name = name, .type = type, .init = init, .loc = loc});
}

Ast *ast_declare(Arena *a, const Ast *like, Decl *d) {
    Ast *s = ast_make(a, A_DECLS, like, NULL, 0, NULL);
    s->decls = NEW(a, Decl *);
    s->decls[s->ndecls++] = d;
    return s;
}

bool ast_has_effect(const Ast *root) {
    ast_each(e, root)
        if (e->kind == A_ASSIGN || e->kind == A_INCDEC || e->kind == A_CALL || e->kind == A_STMT_EXPR ||
            e->kind == A_OTHER)
            return true;
    return false;
}

bool ast_same(const Ast *x, const Ast *y) {
    if (!x || !y) return x == y;
    bool same = x->kind == y->kind && x->type == y->type && x->op == y->op && x->decl == y->decl &&
                x->i == y->i && x->f == y->f && x->nkids == y->nkids && x->arrow == y->arrow &&
                str_eq(x->name, y->name);
    bool plain = x->kind == A_REF || x->kind == A_INT || x->kind == A_INDEX || x->kind == A_FIELD ||
                 x->kind == A_DEREF || x->kind == A_BINARY || x->kind == A_UNARY || x->kind == A_CAST;
    for (int k = 0; same && plain && k < x->nkids; k++) same = ast_same(x->kids[k], y->kids[k]);
    return same && plain;
}
