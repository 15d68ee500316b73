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
// accept_leave.c then takes the breaks. A region that returns from the function around it leaves the value,
// and that there is one, in two variables which the text around its call declares:
//
//   for (…)                           { int sculpt_gone_ = 0; T sculpt_result_ = 0;
//       if (c) return x;         →       on a device:  for (…) if (c) { result = x; gone = 1; break; }
//                                        if (sculpt_gone_) return sculpt_result_; }
#include "front/accept.h"
#include "front/plain.h"
#include "ir/show.h"

typedef struct Out {
    Accept *ac;
    Arena *a;
    const Ast *loop;        // that is left
    VEC(const Ast *) jumps; // the different ones: to a label, or to return
    Decl *leave, *result;
    int nreturns;
} Out;

static bool is_loop(const Ast *s) { return s->kind == A_FOR || s->kind == A_WHILE || s->kind == A_DO; }

static bool has_label(const Ast *s, const char *name) {
    ast_each(x, s)
        if (x->kind == A_LABEL && str_eq(x->name, name)) return true;
    return false;
}

static bool jumps_out(const Ast *loop, const Ast *s) {
    ast_each(x, s)
        if (x->kind == A_RETURN || (x->kind == A_GOTO && !has_label(loop, x->name))) return true;
    return false;
}

bool accept_jumps_out(const Ast *s) { return is_loop(s) && jumps_out(s, s); }

// ---- trees --------------------------------------------------------------------------------------
static Ast *block(Out *o, int n, Ast *const *kids) { return ast_make(o->a, A_BLOCK, o->loop, NULL, n, kids); }

static Ast *ref(Out *o, Decl *d) { return ast_ref(o->a, o->loop, d); }

static Ast *set(Out *o, Decl *d, Ast *value) { return ast_set(o->a, o->loop, ref(o, d), value); }

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
    o->nreturns += s->kind == A_RETURN;
    kids[n++] = set(o, o->leave, number(o, kind_of(o, s)));
    kids[n++] = ast_make(o->a, A_BREAK, s, NULL, 0, NULL);
    return block(o, n, kids);
}

// The block x, which stands for s, without braces around what stands for its own jumps.
static Ast *flattened(Out *o, const Ast *s, Ast *x) {
    VEC(Ast *) all = {0};
    for (int k = 0; k < s->nkids; k++) {
        bool jump = s->kids[k] && s->kids[k] != x->kids[k] &&
                    (s->kids[k]->kind == A_RETURN || s->kids[k]->kind == A_GOTO);
        for (int j = 0; jump && j < x->kids[k]->nkids; j++) vec_push(o->a, &all, x->kids[k]->kids[j]);
        if (!jump) vec_push(o->a, &all, x->kids[k]);
    }
    x->kids = all.at, x->nkids = all.n;
    return x;
}

// s with breaks for the jumps, each inner loop followed by another break; what holds none is shared.
static Ast *without_jumps(Out *o, Ast *s) {
    if (!s || !jumps_out(o->loop, s)) return s;
    if (s->kind == A_RETURN || s->kind == A_GOTO) return left(o, s);
    Ast *x = NEW(o->a, Ast);
    *x = *s;
    x->kids = NEW_N(o->a, Ast *, s->nkids + 1);
    for (int k = 0; k < s->nkids; k++) x->kids[k] = without_jumps(o, s->kids[k]);
    if (s->kind == A_BLOCK) x = flattened(o, s, x);
    if (!is_loop(s) || s == o->loop) return x;
    Ast *stop = ast_make(o->a, A_BREAK, s, NULL, 0, NULL);
    Ast *out = ast_make(o->a, A_IF, s, NULL, 2, (Ast *[]){ref(o, o->leave), stop});
    return block(o, 2, (Ast *[]){x, out});
}

// ---- the loop -------------------------------------------------------------------------------------
// The loop and what stands for its jumps behind it.
Ast *accept_jumping(Accept *ac, const Ast *loop) {
    Out o = {.ac = ac, .a = ac->a, .loop = loop};
    o.leave = ast_variable(ac->a, "leave", ast_scalar(ac->a, T_I32), NULL, loop->loc);
    o.leave->said = "the way out of a loop";
    o.leave->init = number(&o, 0);
    if (ac->ret.type) o.result = ast_variable(ac->a, "result", ac->ret.type, NULL, loop->loc);
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

// ---- from the function around the region ----------------------------------------------------------------
// A variable of the text around the region's call.
static Decl *outside(Out *o, const char *name, Type t) {
    Decl *d = ast_variable(o->a, name, ast_scalar(o->a, t), NULL, o->loop->loc);
    d->is_global = true; // it is read behind the region
    vec_push(o->a, &o->ac->writes.vars, (const Decl *)d);
    return d;
}

// What is returned first; *other: something of another type.
static void find_returned(const Ast *root, const Ast **first, const Ast **other) {
    ast_each(s, root) {
        if (s->kind != A_RETURN) continue;
        if (!*first) *first = s;
        const Ast *x = s->nkids ? s->kids[0] : NULL, *y = (*first)->nkids ? (*first)->kids[0] : NULL;
        if (!x != !y || (x && x->type->scalar != y->type->scalar)) *other = s;
    }
}

Ast *accept_returning(Accept *ac, const Ast *loop) {
    Out o = {.ac = ac, .a = ac->a, .loop = loop};
    const Ast *first = NULL, *other = NULL;
    find_returned(loop, &first, &other);
    const CType *t = first && first->nkids ? first->kids[0]->type : NULL;
    if (!first)
        return accept_refuse(ac, SC_CONTROL, loop->loc, "a jump out of the region; leave after the loop");
    if (other || (t && (t->kind != CT_SCALAR || t->scalar == T_NONE)))
        return accept_refuse(ac, SC_CONTROL, first->loc,
                             "'return' inside a region is taken of numbers of one type; leave after the "
                             "loop");
    o.leave = outside(&o, FRONT_GONE, T_I32);
    if (t) o.result = outside(&o, FRONT_RESULT, t->scalar);
    Ast *inside = without_jumps(&o, (Ast *)loop);
    if (o.jumps.n != 1)
        return accept_refuse(ac, SC_CONTROL, loop->loc, "a jump out of the region; leave after the loop");
    ac->returns = (Returns){o.nreturns, t ? show_type(t->scalar) : NULL};
    return inside;
}
