// SPDX-License-Identifier: MIT
// plain_flag.c -- loops that a flag ends.
//
//   done = 0;                                       done = 0;
//   for (i = 0; i < n && !done; i++)                for (i = 0; i < n; i++)
//       if (c) { at = i; done = 1; }         →          if (c) { at = i; done = 1; break; }
//
// The flag is known to be 0 where the loop begins, and nothing of an iteration follows where it is set.
#include "front/plain.h"

static bool is_ref(const Ast *e, const Decl *d) { return e->kind == A_REF && e->decl == d; }

// done = 0;  or its declaration
static bool clears(const Ast *s, const Decl *d) {
    for (int k = 0; s->kind == A_DECLS && k < s->ndecls; k++)
        if (s->decls[k] == d) return d->init && d->init->kind == A_INT && !d->init->i;
    const Ast *e = s->kind == A_EXPR ? s->kids[0] : NULL;
    return e && e->kind == A_ASSIGN && e->op == OP_SET && is_ref(e->kids[0], d) &&
           e->kids[1]->kind == A_INT && !e->kids[1]->i;
}

static bool names(const Ast *root, const Decl *d) {
    ast_each(e, root)
        if (is_ref(e, d)) return true;
    return false;
}

// May a jump lead into it? Cases of a switch are among what has no name here.
static bool is_entered(const Ast *s) { return ast_holds(s, A_LABEL) || ast_holds(s, A_OTHER); }

// Is d 0 before block->kids[at]?
static bool is_clear(const Ast *block, int at, const Decl *d) {
    for (int k = at; k-- > 0;) {
        const Ast *s = block->kids[k];
        if (!s) continue;
        if (clears(s, d)) return true;
        if (is_entered(s) || names(s, d)) return false;
    }
    return false;
}

// !d among the conditions that && joins, which have no effects. *rest: what is left of them; NULL: nothing.
static bool split(Arena *a, Ast *c, const Decl **d, Ast **rest) {
    const Ast *f = c->kind == A_UNARY && c->op == OP_LNOT ? c->kids[0] : NULL;
    if (f && f->kind == A_REF && f->decl && f->decl->kind == D_VAR && !f->decl->is_global &&
        !f->decl->is_static && !f->decl->address_taken && f->type && f->type->kind == CT_SCALAR &&
        type_is_int(f->type->scalar) && !f->type->is_volatile) {
        *d = f->decl, *rest = NULL;
        return true;
    }
    if (c->kind != A_BINARY || c->op != OP_LAND || ast_has_effect(c)) return false;
    for (int k = 0; k < 2; k++) {
        Ast *left, *other = c->kids[1 - k];
        if (!split(a, c->kids[k], d, &left)) continue;
        *rest = !left ? other : ast_binary(a, OP_LAND, c->type, k ? other : left, k ? left : other);
        return true;
    }
    return false;
}

static bool sets(const Ast *e, const Decl *d) {
    return e->kind == A_ASSIGN && e->op == OP_SET && is_ref(e->kids[0], d) && e->kids[1]->kind == A_INT &&
           e->kids[1]->i;
}

static int writes(const Ast *root, const Decl *d) {
    int n = 0;
    ast_each(e, root) {
        bool changes = e->kind == A_ASSIGN || e->kind == A_INCDEC || e->kind == A_ADDR;
        n += changes && is_ref(e->kids[0], d);
    }
    return n;
}

// How often d is set where s ends. step: what then comes before the loop's end, or NULL; with `leave` it is
// put there, and a break.
static int ends(Arena *a, Ast *s, const Decl *d, Ast *step, bool leave) {
    int n = 0;
    if (!s) return 0;
    if (s->kind == A_IF)
        for (int k = 1; k < s->nkids; k++) n += ends(a, s->kids[k], d, step, leave);
    Ast *last = s->kind != A_BLOCK ? s : s->nkids ? s->kids[s->nkids - 1] : NULL;
    if (last && last != s && last->kind != A_EXPR) return ends(a, last, d, step, leave);
    if (!last || last->kind != A_EXPR || !sets(last->kids[0], d)) return n;
    if (leave) {
        int count = last == s ? 1 : s->nkids;
        Ast **kids = NEW_N(a, Ast *, count + 2);
        for (int k = 0; k < count; k++)
            kids[k] = last == s ? ast_make(a, A_EXPR, s, NULL, 1, s->kids) : s->kids[k];
        if (step) kids[count++] = ast_make(a, A_EXPR, s, NULL, 1, &step);
        kids[count++] = ast_make(a, A_BREAK, s, NULL, 0, NULL);
        *s = *ast_make(a, A_BLOCK, s, NULL, count, kids);
    }
    return 1;
}

void plain_flag(Arena *a, Ast *block, int at) {
    Ast *x = block->kids[at], *rest;
    const Decl *d;
    bool is_for = x && x->kind == A_FOR;
    if (!x || !(is_for || x->kind == A_WHILE)) return;
    Ast **cond = &x->kids[is_for ? 1 : 0], *body = x->kids[is_for ? 3 : x->nkids - 1];
    Ast *step = is_for ? x->kids[2] : NULL;
    if (!*cond || !split(a, *cond, &d, &rest) || !rest || !is_clear(block, at, d)) return;
    if (is_for && ((x->kids[0] && names(x->kids[0], d)) || (step && names(step, d)))) return;
    if (is_entered(body) || names(rest, d)) return;
    if (!writes(body, d) || writes(body, d) != ends(a, body, d, NULL, false)) return;
    bool seen = is_for && x->kids[0] && x->kids[0]->kind != A_DECLS; // the counter, behind the loop
    ends(a, body, d, seen ? step : NULL, true);
    *cond = rest;
}
