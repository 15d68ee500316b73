// SPDX-License-Identifier: MIT
// accept_stmt.c -- statements, declarations, and jumps forward.
//
//   if (c) continue;      ──►   if (c) { } else { rest }
//   rest                        (and the same for `return` in an inlined function)
//
//   if (c) goto next;     ──►   if (c) { last } else { rest; last }
//   rest
//   next: last
#include "front/accept.h"
#include "front/plain.h"
#include "front/normal.h"
#include <string.h>

// ---- changes that come after an expression -----------------------------------------------------
bool accept_after(Accept *ac) {
    for (int k = 0; k < ac->after.n; k++) {
        const After *p = &ac->after.at[k];
        if (!accept_put(ac, ac->loc, &p->ref, p->op, p->rhs))
            return false;
    }
    ac->after.n = 0;
    return true;
}

Expr *accept_settle(Accept *ac, int before, Expr *x) {
    if (!x || ac->after.n == before)
        return x;
    if (before > 0)
        return accept_refuse(ac, SC_EXPRESSION, ac->loc, "several '++' in one expression with '&&', "
                             "'||' or '?:'; write statements of their own");
    x = accept_freeze(ac, x);
    return x && accept_after(ac) ? x : NULL;
}

// ---- declarations --------------------------------------------------------------------------------
static bool declare_pointer(Accept *ac, const Decl *d) {
    Ref target;
    accept_bind(ac, d, BIND_GONE, NULL, NULL);
    if (!d->init)
        return true;
    if (!accept_pointer(ac, d->init, &target) || !accept_retype(ac, &target, d->type->of, d->loc))
        return false;
    accept_flatten(ac, &target);
    for (int k = 0; k < target.ndims; k++)
        if (!(target.dim[k].sub = accept_freeze(ac, target.dim[k].sub)))
            return false;
    accept_bind(ac, d, BIND_POINTER, NULL, &target);
    return accept_track(ac, &ac->env.at[ac->env.n - 1], d->loc);
}

static bool is_only_counter(Accept *ac, const Decl *d) {
    return accept_has_decl(&ac->writes.iters, d) && !accept_has_decl(&ac->writes.vars, d);
}

static bool declare_counter(Accept *ac, const Decl *d) {
    Expr *x = d->init ? accept_value(ac, d->init) : NULL;
    if (d->init && !x)
        return false;
    accept_final_set(ac, d, x && !expr_has_load(x) ? accept_convert(ac, d->type->scalar, x) : NULL);
    return true;
}

// Are the sizes of an array numbers and parameters?
static bool has_steady_size(Accept *ac, const CType *t) {
    for (; t->kind == CT_ARRAY; t = t->of) {
        Expr *x = t->size ? accept_value(ac, t->size) : NULL;
        if (!x || expr_varies(x))
            return false;
    }
    return true;
}

// static const T t[4] = {…}: what an iteration may as well have for itself.
static bool is_small_table(const Decl *d) {
    enum { BYTES = 512 };
    const CType *t = d->type;
    bool fixed = t->is_const || d->is_const, changes = t->is_volatile;
    for (; t->kind == CT_ARRAY; t = t->of) fixed |= t->of->is_const, changes |= t->of->is_volatile;
    return fixed && !changes && d->init && t->kind == CT_SCALAR && d->type->bytes > 0 &&
           d->type->bytes <= BYTES;
}

bool accept_decl(Accept *ac, const Decl *d) {
    if (d->kind == D_FUNCTION)
        return true;
    if (!accept_type_ok(ac, d->type, d->loc))
        return false;
    if (d->space == SPACE_SHARED)
        return true; // the block's, named where it is used
    if ((d->is_static || d->is_global) && !is_small_table(d))
        return accept_refuse(ac, SC_EXPRESSION, d->loc,
                             "'%s' keeps its value between iterations; "
                             "declare it at the head of the file",
                             d->name);
    if (d->type->kind == CT_POINTER)
        return declare_pointer(ac, d);
    if (d->type->kind == CT_SCALAR && is_only_counter(ac, d))
        return declare_counter(ac, d);
    if (!has_steady_size(ac, d->type))
        return accept_refuse(ac, SC_EXTENT, d->loc,
                             "the size of the local array '%s' changes in the loops; give it "
                             "one that doesn't, or declare it outside",
                             d->name);
    Ref r;
    accept_local(ac, d->name, d->type, ac->block, &r);
    r.object->said = d->said;
    accept_bind(ac, d, BIND_PLACE, NULL, &r);
    return (!d->init || accept_init(ac, &r, d->init)) && accept_after(ac);
}

// ---- jumps to the end ---------------------------------------------------------------------------------
static bool may_leave(const Ast *s, bool in_loop) {
    if (!s)
        return false;
    if (accept_jumps_out(s))
        return true;
    if (s->kind == A_RETURN || ((s->kind == A_CONTINUE || s->kind == A_GOTO) && !in_loop))
        return true;
    bool loop = s->kind == A_FOR || s->kind == A_WHILE || s->kind == A_DO;
    for (int k = 0; k < s->nkids; k++)
        if (may_leave(s->kids[k], in_loop || loop))
            return true;
    return false;
}

static bool leaves(const Ast *s) {
    if (!s)
        return false;
    if (s->kind == A_RETURN || s->kind == A_CONTINUE)
        return true;
    if (s->kind == A_LABEL)
        return leaves(s->kids[0]);
    if (s->kind == A_IF)
        return s->nkids > 2 && leaves(s->kids[1]) && leaves(s->kids[2]);
    for (int k = 0; s->kind == A_BLOCK && k < s->nkids; k++)
        if (leaves(s->kids[k]))
            return true;
    return false;
}

static bool leave(Accept *ac, const Ast *s) {
    bool returns = s->kind == A_RETURN;
    if (returns && !ac->ret.inside)
        return accept_refuse(ac, SC_CONTROL, s->loc, "'return' inside a region; leave after the loop");
    if (returns && ac->iters.n != ac->ret.depth)
        return accept_refuse(ac, SC_CONTROL, s->loc, "'return' from inside a loop of an inlined "
                             "function; let the loop end first");
    if (!returns && ac->iters.n == ac->ret.depth)
        return accept_refuse(ac, SC_CONTROL, s->loc, "'continue' of a loop around the region");
    const Ast *e = returns && s->nkids ? s->kids[0] : NULL;
    if (!e)
        return true;
    if (!ac->ret.type)
        return accept_effect(ac, e) && accept_after(ac);
    Ref r = ac->ret.ref;
    return accept_init(ac, &r, e) && accept_after(ac);
}

// The statements of s, then the rest.
static bool with_rest(Accept *ac, const Ast *s, int n, Ast *const *rest) {
    Ast *single = (Ast *)s;
    bool block = s && s->kind == A_BLOCK;
    Ast *const *kids = block ? s->kids : &single;
    int m = block ? s->nkids : s ? 1 : 0;
    Ast **all = NEW_N(ac->a, Ast *, m + n + 1);
    for (int k = 0; k < m; k++)
        all[k] = kids[k];
    for (int k = 0; k < n; k++)
        all[m + k] = rest[k];
    return accept_list(ac, m + n, all);
}

// Pointers that the branch sets are unknown behind the if, but not in the other branch:
// they are collected in *gone.
static Node *branch_with_rest(Accept *ac, const Ast *s, int n, Ast *const *rest, DeclVec *gone,
                              bool *ok) {
    Block b;
    int mark = ac->env.n;
    accept_open(ac, &b);
    ac->guarded++;
    *ok = *ok && with_rest(ac, s, leaves(s) ? 0 : n, rest);
    ac->guarded--;
    accept_unbind(ac, mark);
    for (; ac->env.n > mark; ac->env.n--)
        vec_push(ac->a, gone, ac->env.at[ac->env.n - 1].decl);
    return accept_close(ac, &b);
}

// p = x; alone. NULL: it is something else.
static const Ast *sets_pointer(const Ast *s) {
    while (s && s->kind == A_BLOCK && s->nkids == 1 && !s->ndecls) s = s->kids[0];
    const Ast *e = s && s->kind == A_EXPR ? s->kids[0] : NULL;
    bool sets = e && e->kind == A_ASSIGN && e->op == OP_SET && accept_is_pointer(e->kids[0]);
    return sets && !accept_moved(e) ? e : NULL;
}

// if (c) p = x; else p = y;  is  p = c ? x : y;
static const Ast *choice_of_pointers(Accept *ac, const Ast *s) {
    const Ast *x = sets_pointer(s->kids[1]), *y = s->nkids > 2 ? sets_pointer(s->kids[2]) : NULL;
    if (!x || !y || x->kids[0]->decl != y->kids[0]->decl) return NULL;
    Ast *kids[3] = {s->kids[0], x->kids[1], y->kids[1]};
    Ast *chosen = ast_make(ac->a, A_COND, s, x->kids[0]->type, 3, kids);
    Ast *set = ast_make(ac->a, A_ASSIGN, s, x->type, 2, (Ast *[]){x->kids[0], chosen});
    set->op = OP_SET;
    return set;
}

// An if, and what follows it when one of its branches leaves.
static bool take_if(Accept *ac, const Ast *s, int n, Ast *const *rest) {
    const Ast *pointer = n ? NULL : choice_of_pointers(ac, s);
    if (pointer) return accept_effect(ac, pointer) && accept_after(ac);
    Expr *cond = accept_settle(ac, 0, accept_truth(ac, s->kids[0]));
    if (!cond)
        return false;
    const Ast *other = s->nkids > 2 ? s->kids[2] : NULL;
    FinalVec before = {0};
    DeclVec gone = {0};
    bool ok = true;
    accept_finals_enter(ac, s->kids[1], &before);
    Node *yes = branch_with_rest(ac, s->kids[1], n, rest, &gone, &ok);
    accept_finals_if(ac, &before, cond);
    before = (FinalVec){0};
    accept_finals_enter(ac, other, &before);
    Node *no = branch_with_rest(ac, other, n, rest, &gone, &ok);
    accept_finals_if(ac, &before, expr_op(ac->a, OP_LNOT, cond, NULL, NULL));
    for (int k = 0; k < gone.n; k++) {
        accept_bind(ac, gone.at[k], BIND_GONE, NULL, NULL);
        ac->env.at[ac->env.n - 1].again = true;
    }
    if (!ok)
        return false;
    bool empty = no->nkids == 0;
    if (yes->nkids == 0 && empty)
        return true;
    if (yes->nkids == 0) {
        cond = expr_op(ac->a, OP_LNOT, cond, NULL, NULL);
        yes = no;
        empty = true;
    }
    Node *node = node_if(ac->a, cond, yes, empty ? NULL : no);
    node->loc = accept_site(ac, s->loc);
    vec_push(ac->a, &ac->block->nodes, node);
    return true;
}

// ---- statements -------------------------------------------------------------------------------------------
static bool take_block(Accept *ac, const Ast *s) {
    Block b;
    int mark = ac->env.n;
    accept_open(ac, &b);
    bool ok = accept_privates(ac, s) && accept_list(ac, s->nkids, s->kids);
    accept_unbind(ac, mark);
    Node *seq = accept_close(ac, &b);
    accept_splice(ac, seq);
    return ok;
}

static bool refuse_stmt(Accept *ac, const Ast *s) {
    switch (s->kind) {
    case A_SWITCH: case A_BREAK: case A_GOTO:
        accept_refuse(ac, SC_CONTROL, s->loc, "'%s' inside a region; use if and else",
                      s->kind == A_SWITCH ? "switch" : s->kind == A_BREAK ? "break" : "goto");
        return false;
    case A_LABEL:
        accept_refuse(ac, SC_CONTROL, s->loc, "a jump leads to '%s' in the middle of a statement", s->name);
        return false;
    default:
        accept_refuse(ac, SC_EXPRESSION, s->loc, "%s is not taken", accept_form(s));
        return false;
    }
}

static bool take_barrier(Accept *ac, const Ast *s) {
    Node *n = NEW(ac->a, Node);
    n->kind = N_BARRIER;
    n->loc = accept_site(ac, s->loc);
    n->pending = s->i == 2  ? COPIES_END
                 : s->i > 2 ? (int)s->i - 3
                 : s->i > 0 ? -1
                            : 0; // a warp's waits for no copies
    n->warp = s->i > 0;
    n->unfenced = s->i < 0 ? (int)-s->i : 0;
    n->alone = s->i > 1;
    vec_push(ac->a, &ac->block->nodes, n);
    return true;
}

static bool take_for(Accept *ac, const Ast *s) {
    bool counts = accept_counter(s) != NULL;
    if (ac->kernel || (ac->iters.n == 0 && !(counts && accept_has_break(s)))) return accept_for(ac, s);
    return !counts ? accept_while(ac, s) : accept_has_break(s) ? accept_breaking(ac, s) : accept_for(ac, s);
}

// Whatever a header makes of assert(): a choice of expressions, a statement in an expression.
static bool take_expression(Accept *ac, const Ast *s) {
    ast_each(e, ac->kernel ? NULL : s) {
        const Decl *f = e->kind == A_CALL ? e->decl : NULL;
        if (f && !f->body && str_has_prefix(f->name, "__assert"))
            return accept_refuse(ac, SC_CALL, s->loc,
                                 "an assert ends the program, which no kernel can; compile with -DNDEBUG, "
                                 "or check before the loop");
    }
    return accept_effect(ac, s->kids[0]) && accept_after(ac);
}

static bool take(Accept *ac, const Ast *s) {
    switch (s->kind) {
    case A_EMPTY: return true;
    case A_BARRIER: return take_barrier(ac, s);
    case A_EXPR: return take_expression(ac, s);
    case A_BLOCK: return take_block(ac, s);
    case A_FOR: return take_for(ac, s);
    case A_WHILE: case A_DO: return accept_while(ac, s);
    case A_IF: return take_if(ac, s, 0, NULL);
    case A_RETURN: case A_CONTINUE: return leave(ac, s);
    case A_DECLS:
        for (int k = 0; k < s->ndecls; k++)
            if (!accept_decl(ac, s->decls[k]))
                return false;
        return true;
    default: return refuse_stmt(ac, s);
    }
}

// ({ … }): its value, the two parts of that (z), or nothing.
static bool statements(Accept *ac, const Ast *e, Expr **value, Complex *z) {
    const Ast *block = e->kids[0], *last = block->nkids ? block->kids[block->nkids - 1] : NULL;
    if (may_leave(block, false))
        return accept_refuse(ac, SC_CONTROL, e->loc, "a jump out of an expression; use if and else");
    Accept saved = *ac;
    int mark = ac->env.n;
    memset(&ac->after, 0, sizeof ac->after);
    bool valued = last && last->kind == A_EXPR && ctype_is_number(e->type);
    bool ok = accept_list(ac, block->nkids - valued, block->kids);
    if (ok && valued && z) {
        ok = accept_complex(ac, last->kids[0], z);
        z->re = ok ? accept_settle(ac, 0, z->re) : NULL, z->im = ok ? accept_settle(ac, 0, z->im) : NULL;
        ok = z->re && z->im;
    } else if (ok && value) {
        *value = valued ? accept_settle(ac, 0, accept_value(ac, last->kids[0])) : expr_int(ac->a, T_I32, 0);
        ok = *value != NULL;
    }
    accept_unbind(ac, mark);
    ac->after = saved.after;
    ac->loc = saved.loc;
    return ok;
}

Expr *accept_stmt_value(Accept *ac, const Ast *e) {
    Expr *x;
    return statements(ac, e, &x, NULL) ? x : NULL;
}

bool accept_stmt_complex(Accept *ac, const Ast *e, Complex *z) { return statements(ac, e, NULL, z); }

bool accept_stmt(Accept *ac, const Ast *s) {
    bool atomic = ac->atomic;
    if (s->loc.line)
        ac->loc = s->loc;
    if (!accept_pragmas_ok(ac, s))
        return false;
    ac->atomic |= accept_is_atomic(ac, s);
    bool ok = take(ac, s);
    ac->atomic = atomic;
    return ok;
}

static int jumps_to(const char *label, const Ast *root) {
    int n = 0;
    ast_each(e, root) n += (e->kind == A_GOTO && str_eq(e->name, label)) ||
                           (e->kind == A_OTHER && str_eq(e->name, "AddrLabelExpr"));
    return n;
}

// Jumps in the region lead forward (accept_list); nothing outside of it may lead to its labels.
static bool check_label(Accept *ac, const Ast *s) {
    int outside = jumps_to(s->name, ac->ra->func->body);
    for (int k = 0; k < ac->ra->nstmts; k++) outside -= jumps_to(s->name, ac->ra->stmts[k]);
    return !outside || ac->calls.n ||
           accept_refuse(ac, SC_CONTROL, s->loc, "a jump from outside of the region leads to '%s'", s->name);
}

static int label_at(const Ast *jump, int from, int n, Ast *const *stmts) {
    for (int k = from; k < n; k++)
        if (stmts[k] && stmts[k]->kind == A_LABEL && str_eq(stmts[k]->name, jump->name))
            return k;
    return -1;
}

bool accept_list(Accept *ac, int n, Ast *const *stmts) {
    for (int k = 0; k < n; k++) {
        const Ast *s = stmts[k];
        int to = s && s->kind == A_GOTO ? label_at(s, k + 1, n, stmts) : -1;
        if (to >= 0)
            s = stmts[k = to];
        for (; s && s->kind == A_LABEL; s = s->kids[0])
            if (!check_label(ac, s))
                return false;
        if (!s)
            continue;
        if (!ac->kernel && ac->ret.inside + ac->iters.n > 0 && accept_jumps_out(s))
            s = accept_jumping(ac, s);
        else if (!ac->kernel && ac->ra->nstmts == 1 && s == ac->ra->stmts[0] && accept_jumps_out(s) &&
                 !(s = accept_returning(ac, s)))
            return false;
        bool splits = (s->kind == A_IF || s->kind == A_BLOCK) && may_leave(s, false);
        if (splits) {
            if (s->loc.line)
                ac->loc = s->loc;
            if (s->kind == A_BLOCK)
                return with_rest(ac, s, n - k - 1, stmts + k + 1);
            return take_if(ac, s, n - k - 1, stmts + k + 1);
        }
        const Ast *join = accept_join(ac, s, n - k - 1, stmts + k + 1);
        if (join) {
            ac->joins++;
            bool ok = take_if(ac, join, n - k - 1, stmts + k + 1);
            ac->joins--;
            return ok;
        }
        if (!accept_stmt(ac, s))
            return false;
        if (leaves(s))
            return true;
    }
    return true;
}
