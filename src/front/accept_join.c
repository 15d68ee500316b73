// SPDX-License-Identifier: MIT
// accept_join.c -- pointers that lead into one array or another.
//
//   const double *p = a;                   if (c) { p = &b[i]; s += p[0] * p[1]; }
//   if (c) p = &b[i];                →     else s += p[0] * p[1];
//   s += p[0] * p[1];
//
// What uses such a pointer stands in both branches, so that in each it is known where the pointer leads. A
// choice of pointers, p = c ? a : b, is such an if, too. Choices into one array are one of subscripts
// (accept_expr.c) and need no second text.
#include "front/accept.h"
#include "front/plain.h"

enum { MOST = 400, DEEPEST = 3 }; // nodes of text that is there twice; choices inside of each other

static const Ast *sets_pointer(const Ast *e) {
    bool sets = e->kind == A_ASSIGN && e->op == OP_SET && accept_is_pointer(e->kids[0]);
    return sets && !accept_moved(e) ? e : NULL;
}

static bool uses(const Ast *root, const Decl *d) {
    ast_each(e, root)
        if (e->kind == A_REF && e->decl == d) return true;
    return false;
}

static bool is_within(const Ast *root, const Decl *d) {
    ast_each(e, root)
        for (int k = 0; k < e->ndecls; k++)
            if (e->decls[k] == d) return true;
    return false;
}

// The variable whose memory a pointer leads into; NULL: not seen.
static const Decl *base(const Ast *e) {
    e = accept_strip(e);
    if (e->kind == A_REF) return e->decl;
    bool inner = e->kind == A_INDEX || e->kind == A_ADDR || e->kind == A_DEREF || e->kind == A_FIELD;
    if (inner) return base(e->kids[0]);
    if (e->kind != A_BINARY) return NULL;
    const CType *t = e->kids[0]->type;
    bool first = t && (t->kind == CT_POINTER || t->kind == CT_ARRAY);
    return base(e->kids[first ? 0 : 1]);
}

// p = c ? x : y, where x and y are not seen to lead into one array.
static bool leads_apart(const Ast *e) {
    e = accept_strip(e);
    if (e->kind != A_COND || !e->type || e->type->kind != CT_POINTER) return false;
    const Decl *x = base(e->kids[1]), *y = base(e->kids[2]);
    return !x || x != y || leads_apart(e->kids[1]) || leads_apart(e->kids[2]);
}

static bool is_affordable(Accept *ac, int n, Ast *const *rest) {
    int size = 0;
    for (int k = 0; k < n; k++)
        ast_each(e, rest[k]) size += e != NULL;
    return n > 0 && ac->joins < DEEPEST && size <= MOST;
}

static bool are_used(const Decl *d, int n, Ast *const *rest) {
    for (int k = 0; k < n; k++)
        if (rest[k] && uses(rest[k], d)) return true;
    return false;
}

static Ast *set(Accept *ac, const Ast *like, const Decl *d, const Ast *to) {
    return ast_set(ac->a, like, ast_ref(ac->a, like, (Decl *)d), (Ast *)to);
}

static const Ast *branches(Accept *ac, const Ast *like, const Decl *d, const Ast *choice) {
    const Ast *c = accept_strip(choice);
    Ast *kids[3] = {c->kids[0], set(ac, like, d, c->kids[1]), set(ac, like, d, c->kids[2])};
    return ast_make(ac->a, A_IF, like, NULL, 3, kids);
}

const Ast *accept_join(Accept *ac, const Ast *s, int n, Ast *const *rest) {
    if (ac->kernel || ac->iters.n == 0 || !is_affordable(ac, n, rest)) return NULL;
    if (s->kind == A_DECLS && s->ndecls == 1) {
        const Decl *d = s->decls[0];
        bool pointer = d->kind == D_VAR && d->type->kind == CT_POINTER && !d->is_static && d->init;
        if (!pointer || !leads_apart(d->init) || !are_used(d, n, rest)) return NULL;
        accept_bind(ac, d, BIND_GONE, NULL, NULL);
        return branches(ac, s, d, d->init);
    }
    const Ast *e = s->kind == A_EXPR ? sets_pointer(s->kids[0]) : NULL;
    if (e && leads_apart(e->kids[1]) && are_used(e->kids[0]->decl, n, rest))
        return branches(ac, s, e->kids[0]->decl, e->kids[1]);
    if (s->kind != A_IF) return NULL;
    ast_each(x, s) {
        const Ast *sets = sets_pointer(x);
        const Decl *d = sets ? sets->kids[0]->decl : NULL;
        if (d && !is_within(s, d) && are_used(d, n, rest)) return s;
    }
    return NULL;
}
