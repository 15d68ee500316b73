// SPDX-License-Identifier: MIT
// accept_leave.c -- loops that end when the data say so: while, do, for with any condition, break.
//
//   while (c) { … break; … }     { int go = 1;
//                                  for (w = 0; w < LOOP_UNBOUNDED; w++)
//                                      if (go) { go = !!c; if (go) { … { go = 0; continue; } … } } }
//   do … while (c);              the same with if (go) { …; go = !!c; }
//   for (i = 0; i < n; i++)      { int go = 1;
//       { … break; … }             for (i = 0; i < n; i++) if (go) { … { go = 0; continue; } … } }
//
// Only inside of another loop of the region, which gives something to do side by side; where it is no mark that
// says so, of loops without loops inside, as the loops inside may be what is parallel.
#include "front/accept.h"
#include "front/plain.h"

typedef struct Leave {
    Accept *ac;
    Arena *a;
    const Ast *loop;
    const CType *truth;
    Decl *go;
} Leave;

static bool has(const Ast *s, AstKind kind) {
    if (!s) return false;
    if (s->kind == kind) return true;
    bool loop = s->kind == A_FOR || s->kind == A_WHILE || s->kind == A_DO;
    if (loop || (s->kind == A_SWITCH && kind == A_BREAK)) return false;
    for (int k = 0; k < s->nkids; k++)
        if (has(s->kids[k], kind)) return true;
    return false;
}

static bool find_loop(const Ast *s, void *arg) {
    *(bool *)arg |= s->kind == A_FOR || s->kind == A_WHILE || s->kind == A_DO;
    return true;
}

// ---- trees ----------------------------------------------------------------------------------------
static Ast *ref(Leave *l, Decl *d) {
    Ast *x = ast_make(l->a, A_REF, l->loop, d->type, 0, NULL);
    x->decl = d;
    return x;
}

static Decl *variable(Leave *l, const char *name, Type t, int64_t v) {
    Decl *d = NEW(l->a, Decl);
    const CType *type = ast_scalar(l->a, t);
    *d = (Decl){.kind = D_VAR, .name = name, .type = type, .init = ast_number(l->a, l->loop, type, v), .loc = l->loop->loc};
    return d;
}

static Ast *declare(Leave *l, Decl *d) {
    Ast *s = ast_make(l->a, A_DECLS, l->loop, NULL, 0, NULL);
    s->decls = NEW_N(l->a, Decl *, 1);
    s->decls[0] = d;
    s->ndecls = 1;
    return s;
}

static Ast *block(Leave *l, int n, Ast *const *kids) { return ast_make(l->a, A_BLOCK, l->loop, NULL, n, kids); }
static Ast *effect(Leave *l, Ast *e) { return ast_make(l->a, A_EXPR, l->loop, NULL, 1, &e); }

static Ast *set(Leave *l, Ast *value) {
    Ast *e = ast_make(l->a, A_ASSIGN, l->loop, l->truth, 2, (Ast *[]){ref(l, l->go), value});
    e->op = OP_SET;
    return effect(l, e);
}

static Ast *no(Leave *l, Ast *x) {
    Ast *e = ast_make(l->a, A_UNARY, x, l->truth, 1, &x);
    e->op = OP_LNOT;
    return e;
}

// x as 0 or 1.
static Ast *truth(Leave *l, Ast *x) {
    const Ast *e = accept_strip(x);
    bool is = (e->kind == A_UNARY && e->op == OP_LNOT) ||
              (e->kind == A_BINARY && ((e->op >= OP_LT && e->op <= OP_NE) || e->op == OP_LAND || e->op == OP_LOR));
    return is ? x : no(l, no(l, x));
}

static Ast *if_going(Leave *l, Ast *then) { return ast_make(l->a, A_IF, l->loop, NULL, 2, (Ast *[]){ref(l, l->go), then}); }

// s with every break of this loop as { go = 0; continue; }; what holds none is shared.
static Ast *without_breaks(Leave *l, Ast *s) {
    if (!has(s, A_BREAK)) return s;
    if (s->kind == A_BREAK)
        return block(l, 2, (Ast *[]){set(l, ast_number(l->a, s, l->truth, 0)), ast_make(l->a, A_CONTINUE, s, NULL, 0, NULL)});
    Ast *x = NEW(l->a, Ast);
    *x = *s;
    x->kids = NEW_N(l->a, Ast *, s->nkids + 1);
    for (int k = 0; k < s->nkids; k++) x->kids[k] = without_breaks(l, s->kids[k]);
    return x;
}

// ---- loops ----------------------------------------------------------------------------------------------
static Ast *repeated(Leave *l, Ast *cond, Ast *step, Ast *body, bool body_first) {
    Ast *rest = without_breaks(l, body), *test = cond ? set(l, truth(l, cond)) : NULL, *once[2];
    int n = 0;
    if (step) rest = block(l, 2, (Ast *[]){rest, effect(l, step)});
    if (body_first) once[n++] = rest;
    if (test) once[n++] = body_first && has(body, A_BREAK) ? if_going(l, test) : test;
    if (!body_first) once[n++] = if_going(l, rest);
    Decl *w = variable(l, "w", T_I64, 0);
    Ast *less = ast_binary(l->a, OP_LT, l->truth, ref(l, w), ast_number(l->a, l->loop, w->type, LOOP_UNBOUNDED));
    Ast *next = ast_make(l->a, A_INCDEC, l->loop, w->type, 1, (Ast *[]){ref(l, w)});
    next->op = OP_ADD;
    return ast_make(l->a, A_FOR, l->loop, NULL, 4, (Ast *[]){declare(l, w), less, next, block(l, 1, (Ast *[]){if_going(l, block(l, n, once))})});
}

static bool refuse(Accept *ac, const Ast *s) {
    const char *word = s->kind == A_DO ? "do" : s->kind == A_WHILE ? "while" : "for";
    accept_refuse(ac, SC_CONTROL, s->loc, "a '%s' loop: how often it runs can't be told; write a for loop with a bound", word);
    return false;
}

static bool is_inside_parallel(const Accept *ac) { return ac->ra->marked == MARK_OMP || ac->ra->marked == MARK_ACC; }

static bool may_leave(const Accept *ac, const Ast *s) {
    bool loops = false;
    for (int k = 0; k < s->nkids; k++)
        if (s->kids[k]) accept_walk(s->kids[k], find_loop, &loops);
    return !ac->kernel && ac->iters.n > 0 && (!loops || is_inside_parallel(ac));
}

bool accept_has_break(const Ast *f) { return has(f->kids[3], A_BREAK); }

// A while or do, or a for that counts nothing.
bool accept_while(Accept *ac, const Ast *s) {
    Ast *body = s->kids[s->kind == A_FOR ? 3 : s->kind == A_DO ? 0 : s->nkids - 1];
    Ast *cond = s->kids[s->kind == A_WHILE ? 0 : 1], *step = s->kind == A_FOR ? s->kids[2] : NULL;
    bool jumps = (step || s->kind == A_DO) && has(body, A_CONTINUE); // to the step, to the condition
    if (!may_leave(ac, s) || jumps || !body) return refuse(ac, s);
    Leave l = {.ac = ac, .a = ac->a, .loop = s, .truth = ast_scalar(ac->a, T_I32)};
    l.go = variable(&l, "go", T_I32, 1);
    Ast *list[3];
    int n = 0;
    if (s->kind == A_FOR && s->kids[0] && s->kids[0]->kind != A_EMPTY)
        list[n++] = s->kids[0]->kind == A_DECLS || s->kids[0]->kind == A_EXPR ? s->kids[0] : effect(&l, s->kids[0]);
    list[n++] = declare(&l, l.go);
    list[n++] = repeated(&l, cond, step, body, s->kind == A_DO);
    return accept_stmt(ac, block(&l, n, list));
}

// A counted for with a break.
bool accept_breaking(Accept *ac, const Ast *f) {
    const Decl *d = accept_counter(f);
    bool own = f->kids[0] && f->kids[0]->kind == A_DECLS;
    if (!may_leave(ac, f) || !d || (!own && accept_has_decl(&ac->writes.vars, d)))
        return accept_refuse(ac, SC_CONTROL, f->loc, "'break' inside a region; use if and else"), false;
    Leave l = {.ac = ac, .a = ac->a, .loop = f, .truth = ast_scalar(ac->a, T_I32)};
    l.go = variable(&l, "go", T_I32, 1);
    Ast *loop = NEW(ac->a, Ast);
    *loop = *f;
    loop->kids = NEW_N(ac->a, Ast *, 5);
    for (int k = 0; k < 3; k++) loop->kids[k] = f->kids[k];
    loop->kids[3] = block(&l, 1, (Ast *[]){if_going(&l, without_breaks(&l, f->kids[3]))});
    if (!accept_stmt(ac, block(&l, 2, (Ast *[]){declare(&l, l.go), loop}))) return false;
    if (!own) accept_final_set(ac, d, NULL); // where the loop was left is not known
    return true;
}
