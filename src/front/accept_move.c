// SPDX-License-Identifier: MIT
// accept_move.c -- pointers that walk: a fixed target and an integer that says how far.
//
//   double *d = a;                     long d_at = 0;
//   for (i = 0; i < n; i++)            for (i = 0; i < n; i++) {
//       *d++ = *s++ * 2;          →        a[d_at] = s[s_at] * 2; s_at += 1; d_at += 1;
//                                      }
//
// The integers are induction variables like others; the passes that follow see a[i] = s[i] * 2.
#include "front/accept.h"

const Ast *accept_distance(const Ast *e, const Decl *p, bool *minus) {
    const Ast *x = accept_strip(e);
    if (x->kind != A_BINARY || (x->op != OP_ADD && x->op != OP_SUB))
        return NULL;
    const Ast *l = accept_strip(x->kids[0]), *r = accept_strip(x->kids[1]);
    *minus = x->op == OP_SUB;
    if (l->kind == A_REF && l->decl == p)
        return x->kids[1];
    return x->op == OP_ADD && r->kind == A_REF && r->decl == p ? x->kids[0] : NULL;
}

bool accept_is_pointer(const Ast *e) {
    const CType *t = e->kind == A_REF ? e->type : NULL;
    return t && (t->kind == CT_POINTER || (t->kind == CT_ARRAY && e->decl->kind == D_PARAM));
}

const Decl *accept_moved(const Ast *e) {
    const Ast *p = e->nkids ? e->kids[0] : NULL;
    if (!p || !accept_is_pointer(p))
        return NULL;
    bool minus, by = e->kind == A_ASSIGN && (e->op == OP_ADD || e->op == OP_SUB);
    bool itself = e->kind == A_ASSIGN && e->op == OP_SET && accept_distance(e->kids[1], p->decl, &minus);
    return by || itself || e->kind == A_INCDEC ? p->decl : NULL;
}

static Kept *kept(Accept *ac, const Decl *d) {
    for (int k = 0; k < ac->kept.n; k++)
        if (ac->kept.at[k].decl == d)
            return &ac->kept.at[k];
    return NULL;
}

// What says how far a pointer is: a scalar of the region, for one that is used behind it one for all.
static void make_distance(Accept *ac, const Decl *p, Ref *at) {
    const CType *t = ast_scalar(ac->a, T_I64);
    Kept *k = kept(ac, p);
    if (!k) {
        accept_local(ac, arena_printf(ac->a, "%s_at", p->name), t, ac->block, at);
        at->object->said = p->name;
        return;
    }
    if (!k->at.object) { // a variable that the program does not have, so nobody reads it
        Decl *d = NEW(ac->a, Decl);
        *d = (Decl){.kind = D_VAR, .name = arena_printf(ac->a, "%s_at", p->name), .type = t};
        k->at = (Ref){.object = accept_object(ac, d->name, d->name, d), .type = t, .path = ""};
    }
    *at = k->at;
}

bool accept_track(Accept *ac, Bind *b, Loc loc) {
    if (!accept_has_decl(&ac->writes.moves, b->decl))
        return true;
    b->walks = true;
    Ref at;
    make_distance(ac, b->decl, &at);
    b->at = at;
    return accept_put(ac, loc, &at, OP_SET, expr_int(ac->a, T_I64, 0));
}

bool accept_target(Accept *ac, const Bind *b, Loc loc, Ref *out) {
    *out = b->ref;
    if (!b->walks)
        return true;
    Expr *far = accept_load(ac, &b->at, loc);
    return far && accept_step(ac, out, far, loc);
}

static const Bind *walker(Accept *ac, const Ast *e) {
    const Decl *p = accept_moved(e);
    const Bind *b = p ? accept_lookup(ac, p) : NULL;
    if (b && b->kind == BIND_POINTER && b->walks)
        return b;
    return accept_refuse(ac, SC_POINTER, e->loc, "a pointer is moved where its target can't be told; use "
                         "the array with a computed subscript");
}

// By how many elements e moves its pointer.
static Expr *elements(Accept *ac, const Ast *e) {
    bool minus = e->op == OP_SUB;
    const Ast *by = e->kind == A_INCDEC ? NULL : e->kids[1];
    if (by && e->op == OP_SET)
        by = accept_distance(by, e->kids[0]->decl, &minus);
    Expr *x = by ? accept_value(ac, by) : expr_int(ac->a, T_I64, 1);
    x = x ? accept_convert(ac, T_I64, x) : NULL;
    return x && minus ? expr_op(ac->a, OP_NEG, x, NULL, NULL) : x;
}

bool accept_move(Accept *ac, const Ast *e) {
    const Bind *b = walker(ac, e);
    if (!b)
        return false;
    Ref at = b->at;
    Expr *by = elements(ac, e);
    return by && accept_put(ac, e->loc, &at, OP_ADD, by);
}

bool accept_move_pointer(Accept *ac, const Ast *e, Ref *out) {
    if (!accept_moved(e))
        return accept_refuse(ac, SC_POINTER, e->loc, "a pointer is changed inside an expression; use a "
                             "subscript");
    if (ac->conditional)
        return accept_refuse(ac, SC_POINTER, e->loc, "a pointer is moved in an operand that need not be "
                             "evaluated; write it as a statement");
    bool later = e->kind == A_INCDEC && e->postfix;
    const Bind *b = walker(ac, e);
    if (!b || (!later && !accept_move(ac, e)))
        return false;
    if (later) {
        After after = {b->at, OP_ADD, elements(ac, e)};
        vec_push(ac->a, &ac->after, after);
    }
    return accept_target(ac, b, e->loc, out);
}

bool accept_track_outer(Accept *ac) {
    for (int k = 0; k < ac->writes.moves.n; k++) {
        const Decl *d = ac->writes.moves.at[k];
        Ref r;
        if (accept_is_inside(ac, d))
            continue;
        bool ok = accept_variable(ac, d, ac->ra->loc, &r) &&
                  (r.type->kind == CT_ARRAY ? accept_decay(ac, &r, ac->ra->loc)
                                            : accept_follow(ac, &r, ac->ra->loc));
        if (!ok)
            return false;
        accept_bind(ac, d, BIND_POINTER, NULL, &r);
        ac->env.at[ac->env.n - 1].again = accept_has_decl(&ac->writes.pointers, d);
        if (!accept_track(ac, &ac->env.at[ac->env.n - 1], ac->ra->loc))
            return false;
    }
    return true;
}

// ---- behind the region ----------------------------------------------------------------------------
static bool changes_used(Accept *ac, const Decl *d, Loc loc) {
    return accept_refuse(ac, SC_POINTER, loc, POINTER_CHANGES, d->name);
}

bool accept_keep(Accept *ac, const DeclVec *changed) {
    const RegionAst *ra = ac->ra;
    for (int k = 0; k < changed->n; k++) {
        const Decl *d = changed->at[k];
        if (kept(ac, d) || accept_is_inside(ac, d) || !live_after(ac->a, ra->func, ra->stmts, ra->nstmts, d))
            continue;
        bool seen = d->is_global || d->is_static || d->address_taken; // by others, too
        if (seen || ac->kernel || ra->marked == MARK_OMP)             // threads would each set it
            return changes_used(ac, d, ra->loc);
        Kept new = {.decl = d};
        vec_push(ac->a, &ac->kept, new);
    }
    return true;
}

// C for the pointer's target at the region's beginning; NULL: not known.
static const char *base(Accept *ac, const Bind *b) {
    const Ref *r = &b->ref;
    if (b->kind != BIND_POINTER || !r->text || !r->steps) return NULL;
    const Expr *sub = r->dim[r->ndims - 1].sub;
    const char *text = accept_source(ac->a, sub);
    return !text ? NULL : expr_is_int(sub, 0) ? r->text : arena_printf(ac->a, "(%s) + %s", r->text, text);
}

bool accept_kept(Accept *ac, Left *left) {
    for (int k = 0; k < ac->kept.n; k++) {
        const Kept *p = &ac->kept.at[k];
        const Bind *b = accept_lookup(ac, p->decl);
        const char *text = b ? base(ac, b) : NULL;
        if (!text) return changes_used(ac, p->decl, ac->ra->loc);
        const Object *at = b->walks ? p->at.object : NULL;
        LeftPointer l = {.name = p->decl->name, .base = text, .at = at ? at->views.at[0] : NULL};
        vec_push(ac->a, &left->pointers, l);
    }
    return true;
}
