// SPDX-License-Identifier: MIT
// accept_jump.c -- jumps out of several loops at once: goto, and return from a function that is inlined.
//
//   for (…)                          { int leave = 0; T result;
//       for (…)                        for (…) {
//           if (c) return x;      →        for (…)
//   rest                                       if (c) { result = x; leave = 1; break; }
//                                          if (leave) break; }
//                                      if (leave == 1) return result; }
//                                    rest
//
// accept_leave.c then takes the breaks.
#include "front/accept.h"
#include "front/plain.h"

typedef struct Out {
    Accept *ac;
    Arena *a;
    const Ast *loop;        // that is left
    VEC(const Ast *) jumps; // the different ones: to a label, or to return
    Decl *leave, *result;
} Out;

static bool is_loop(const Ast *s) { return s->kind == A_FOR || s->kind == A_WHILE || s->kind == A_DO; }

static bool has_label(const Ast *s, const char *name) {
    if (!s) return false;
    if (s->kind == A_LABEL && str_eq(s->name, name)) return true;
    for (int k = 0; k < s->nkids; k++)
        if (has_label(s->kids[k], name)) return true;
    return false;
}

static bool jumps_out(const Ast *loop, const Ast *s) {
    if (!s) return false;
    if (s->kind == A_RETURN || s->kind == A_GOTO) return s->kind == A_RETURN || !has_label(loop, s->name);
    for (int k = 0; k < s->nkids; k++)
        if (jumps_out(loop, s->kids[k])) return true;
    return false;
}

bool accept_jumps_out(const Ast *s) { return is_loop(s) && jumps_out(s, s); }

// ---- trees --------------------------------------------------------------------------------------
static Ast *block(Out *o, int n, Ast *const *kids) { return ast_make(o->a, A_BLOCK, o->loop, NULL, n, kids); }

static Ast *ref(Out *o, Decl *d) {
    Ast *x = ast_make(o->a, A_REF, o->loop, d->type, 0, NULL);
    x->decl = d;
    return x;
}

static Ast *set(Out *o, Decl *d, Ast *value) {
    Ast *e = ast_make(o->a, A_ASSIGN, o->loop, d->type, 2, (Ast *[]){ref(o, d), value});
    e->op = OP_SET;
    return ast_make(o->a, A_EXPR, o->loop, NULL, 1, &e);
}

static Decl *variable(Out *o, const char *name, const CType *t) {
    Decl *d = NEW(o->a, Decl);
    *d = (Decl){.kind = D_VAR, .name = name, .type = t, .loc = o->loop->loc};
    return d;
}

static Ast *number(Out *o, int64_t v) { return ast_number(o->a, o->loop, o->leave->type, v); }

// Which of the jumps s is, from 1.
static int kind_of(Out *o, const Ast *s) {
    for (int k = 0; k < o->jumps.n; k++) {
        const Ast *j = o->jumps.at[k];
        if (j->kind == s->kind && (s->kind == A_RETURN || str_eq(j->name, s->name))) return k + 1;
    }
    vec_push(o->a, &o->jumps, s);
    return o->jumps.n;
}

static Ast *left(Out *o, Ast *s) {
    Ast *kids[3];
    int n = 0;
    if (s->kind == A_RETURN && s->nkids && o->result) kids[n++] = set(o, o->result, s->kids[0]);
    kids[n++] = set(o, o->leave, number(o, kind_of(o, s)));
    kids[n++] = ast_make(o->a, A_BREAK, s, NULL, 0, NULL);
    return block(o, n, kids);
}

// s with breaks for the jumps, each inner loop followed by another break; what holds none is shared.
static Ast *without_jumps(Out *o, Ast *s) {
    if (!s || !jumps_out(o->loop, s)) return s;
    if (s->kind == A_RETURN || s->kind == A_GOTO) return left(o, s);
    Ast *x = NEW(o->a, Ast);
    *x = *s;
    x->kids = NEW_N(o->a, Ast *, s->nkids + 1);
    for (int k = 0; k < s->nkids; k++) x->kids[k] = without_jumps(o, s->kids[k]);
    if (!is_loop(s) || s == o->loop) return x;
    Ast *stop = ast_make(o->a, A_BREAK, s, NULL, 0, NULL);
    Ast *out = ast_make(o->a, A_IF, s, NULL, 2, (Ast *[]){ref(o, o->leave), stop});
    return block(o, 2, (Ast *[]){x, out});
}

// ---- the loop -------------------------------------------------------------------------------------
// The loop and what stands for its jumps behind it.
Ast *accept_jumping(Accept *ac, const Ast *loop) {
    Out o = {.ac = ac, .a = ac->a, .loop = loop};
    o.leave = variable(&o, "leave", ast_scalar(ac->a, T_I32));
    o.leave->said = "the way out of a loop";
    o.leave->init = number(&o, 0);
    if (ac->ret.type) o.result = variable(&o, "result", ac->ret.type);
    Ast *inside = without_jumps(&o, (Ast *)loop);
    Ast **kids = NEW_N(ac->a, Ast *, o.jumps.n + 4);
    int n = 0;
    kids[n++] = ast_declare(ac->a, loop, o.leave);
    if (o.result) kids[n++] = ast_declare(ac->a, loop, o.result);
    kids[n++] = inside;
    for (int k = 0; k < o.jumps.n; k++) {
        Ast *jump = NEW(ac->a, Ast), *value = o.result ? ref(&o, o.result) : NULL;
        *jump = *o.jumps.at[k];
        if (jump->kind == A_RETURN && jump->nkids && value)
            jump = ast_make(ac->a, A_RETURN, jump, NULL, 1, &value);
        Ast *same = ast_binary(ac->a, OP_EQ, o.leave->type, ref(&o, o.leave), number(&o, k + 1));
        kids[n++] = ast_make(ac->a, A_IF, loop, NULL, 2, (Ast *[]){same, jump});
    }
    return block(&o, n, kids);
}
