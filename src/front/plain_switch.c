// SPDX-License-Identifier: MIT
// plain_switch.c -- a switch as a chain of conditions.
//
//   switch (x) {                          if (x == 1) { A }
//   case 1: A; break;                     else if (x == 2) { B; C }
//   case 2: B;                            else { C }
//   default: C; }
//
//   case 1: if (c) break; A; break;       if (x == 1) { if (c) goto end; A }  …  end:;
//
// An arm is what runs from its label to the first break, so arms that fall through repeat what follows them.
#include "front/accept.h"
#include "front/plain.h"

typedef VEC(Ast *) Asts;

// Labels that stand before one statement.
typedef struct Arm {
    Asts lo, hi;      // of `case lo ... hi:`; the same number twice for a plain label
    bool is_default;
    int first;        // statement
} Arm;

typedef struct Switch {
    Arena *a;
    Ast *whole, *value;
    const char *end;  // the label behind it; NULL: jumps are not made
    bool jumps, failed, falls;
    Asts stmts;       // NULL: a break
    VEC(Arm) arms;
} Switch;

static bool is_label(const Ast *s) {
    return s->kind == A_OTHER && (str_eq(s->name, "CaseStmt") || str_eq(s->name, "DefaultStmt"));
}

static bool has_label(const Ast *s) {
    ast_each(x, s)
        if (is_label(x)) return true;
    return false;
}

// ---- statements ---------------------------------------------------------------------------------
static Ast *jump_to(Switch *w, const Ast *like) {
    Ast *x = ast_make(w->a, A_GOTO, like, NULL, 0, NULL);
    x->name = w->end;
    w->jumps = true;
    return x;
}

// s with every break of this switch as a jump behind it; what holds none is shared.
static Ast *without_breaks(Switch *w, Ast *s) {
    if (!ast_has_jump(s, A_BREAK)) return s;
    if (s->kind == A_BREAK) return jump_to(w, s);
    Ast *x = NEW_AS(w->a, Ast, *s);
    x->kids = NEW_N(w->a, Ast *, s->nkids + 1);
    for (int k = 0; k < s->nkids; k++) x->kids[k] = without_breaks(w, s->kids[k]);
    return x;
}

static void put_stmt(Switch *w, Ast *s) {
    w->failed |= !w->arms.n || s->kind == A_DECLS || has_label(s);
    bool breaks = s->kind == A_BLOCK && s->nkids && s->kids[s->nkids - 1]->kind == A_BREAK;
    if (breaks) s = ast_make(w->a, A_BLOCK, s, NULL, s->nkids - 1, s->kids);
    if (s->kind != A_BREAK) {
        w->failed |= !w->end && ast_has_jump(s, A_BREAK);
        vec_push(w->a, &w->stmts, without_breaks(w, s));
    }
    if (s->kind == A_BREAK || breaks) vec_push(w->a, &w->stmts, NULL);
}

// The number of a case; NULL: none.
static Ast *number(const Ast *s) {
    if (s->kind == A_EXPR) s = s->kids[0];
    s = accept_strip(s);
    return s->kind == A_INT ? (Ast *)s : NULL;
}

static void put_kid(Switch *w, Ast *s) {
    if (!is_label(s)) {
        put_stmt(w, s);
        return;
    }
    if (!w->arms.n || w->arms.at[w->arms.n - 1].first < w->stmts.n)
        vec_push(w->a, &w->arms, (Arm){.first = w->stmts.n});
    Arm *arm = &w->arms.at[w->arms.n - 1];
    bool is_case = str_eq(s->name, "CaseStmt");
    Ast *lo = is_case && s->nkids > 1 ? number(s->kids[0]) : NULL;
    Ast *hi = is_case && s->nkids > 2 ? number(s->kids[1]) : lo;
    if (is_case && lo && hi) {
        vec_push(w->a, &arm->lo, lo);
        vec_push(w->a, &arm->hi, hi);
    } else {
        w->failed |= is_case || s->nkids != 1;
        arm->is_default = true;
    }
    put_kid(w, s->kids[s->nkids - 1]);
}

// ---- the chain ----------------------------------------------------------------------------------
static bool ends(const Ast *s) {
    return !s || s->kind == A_RETURN || s->kind == A_CONTINUE || s->kind == A_GOTO;
}

// Where an arm stands in the text is told by its statements alone: it has the place of the whole switch.
static Ast *block_of(Switch *w, const Arm *arm) {
    int n = 0;
    Ast **kids = NEW_N(w->a, Ast *, w->stmts.n + 1);
    for (int k = arm->first; k < w->stmts.n; k++) {
        w->falls |= k > arm->first && arm + 1 < w->arms.at + w->arms.n && k == arm[1].first;
        if (w->stmts.at[k]) kids[n++] = w->stmts.at[k];
        if (ends(w->stmts.at[k])) break;
    }
    return ast_make(w->a, A_BLOCK, w->whole, NULL, n, kids);
}

static Ast *compare(Switch *w, Op op, const Ast *label) {
    Ast *same = ast_number(w->a, w->value, w->value->type, label->i);
    return ast_binary(w->a, op, ast_scalar(w->a, T_I32), w->value, same);
}

static Ast *is_taken(Switch *w, const Arm *arm) {
    const CType *truth = ast_scalar(w->a, T_I32);
    Ast *all = NULL;
    for (int k = 0; k < arm->lo.n; k++) {
        const Ast *lo = arm->lo.at[k], *hi = arm->hi.at[k];
        Ast *one = lo == hi ? compare(w, OP_EQ, lo)
                            : ast_binary(w->a, OP_LAND, truth, compare(w, OP_GE, lo), compare(w, OP_LE, hi));
        all = all ? ast_binary(w->a, OP_LOR, truth, all, one) : one;
    }
    return all;
}

static Ast *chain_of(Switch *w) {
    Ast *chain = NULL;
    for (int k = 0; k < w->arms.n; k++)
        if (w->arms.at[k].is_default) chain = block_of(w, &w->arms.at[k]);
    for (int k = w->arms.n - 1; k >= 0; k--) {
        const Arm *arm = &w->arms.at[k];
        if (arm->is_default) continue;
        Ast *kids[3] = {is_taken(w, arm), block_of(w, arm), chain};
        chain = ast_make(w->a, A_IF, w->whole, NULL, 3, kids);
    }
    return chain;
}

// A value with effects is computed once: the declaration of a variable for it. NULL: there are none.
static Ast *keep_value(Switch *w) {
    if (!ast_has_effect(w->value)) return NULL;
    Decl *d = ast_variable(w->a, "which", w->value->type, w->value, w->whole->loc);
    Ast *s = ast_declare(w->a, w->whole, d);
    w->value = ast_ref(w->a, w->whole, d);
    return s;
}

void plain_switch(Arena *a, Ast *x, const char *end) {
    Switch w = {.a = a, .whole = x, .value = x->nkids == 2 ? x->kids[0] : NULL, .end = end};
    const Ast *body = w.value ? x->kids[1] : NULL;
    if (!body || body->kind != A_BLOCK || !w.value->type || w.value->type->kind != CT_SCALAR) return;
    for (int k = 0; k < body->nkids && !w.failed; k++) put_kid(&w, body->kids[k]);
    if (w.failed || !w.arms.n) return;
    Ast *kids[3], *kept = keep_value(&w), *chain = chain_of(&w);
    if (w.falls && !end) return;
    int n = 0;
    if (kept) kids[n++] = kept;
    kids[n++] = chain;
    if (w.jumps) {
        Ast *nothing = ast_make(a, A_EMPTY, x, NULL, 0, NULL);
        kids[n] = ast_make(a, A_LABEL, x, NULL, 1, &nothing);
        kids[n++]->name = end;
    }
    *x = *ast_make(a, A_BLOCK, x, NULL, n, kids);
}
