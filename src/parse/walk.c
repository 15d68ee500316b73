// SPDX-License-Identifier: MIT
// walk.c -- loops over all of a piece of the program (ast_each)
#include "parse/ast.h"

static void push_sizes(Preorder *w, const CType *t) {
    if (!t || t->kind != CT_ARRAY) return;
    push_sizes(w, t->of);
    preorder_push(w, t->size);
}

const Ast *preorder_ast(Preorder *w) {
    const Ast *x = w->last;
    for (int k = x ? x->ndecls : 0; k-- > 0;) {
        preorder_push(w, x->decls[k]->init);
        push_sizes(w, x->decls[k]->type);
    }
    for (int k = x ? x->nkids : 0; k-- > 0;) preorder_push(w, x->kids[k]);
    return preorder_pop(w);
}

bool ast_holds(const Ast *root, AstKind kind) {
    ast_each(x, root)
        if (x->kind == kind) return true;
    return false;
}
