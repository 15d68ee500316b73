// SPDX-License-Identifier: MIT
// stay.c -- why loops stay on the host, and which marks are not true.
#include "ir/show.h"
#include "ir/slots.h"
#include "plan/auto.h"
#include <stdlib.h>
#include <string.h>

bool stay_feet_known(Compile *c, const Region *r, const DepInfo *d) {
    for (int i = 0; i < d->nfeet; i++)
        for (int k = 0; k < d->feet[i].array->rank; k++) {
            if (d->feet[i].lo[k] && d->feet[i].hi[k]) continue;
            diag(c, DIAG_REMARK, SC_EXTENT, r->loc,
                 "stays on the host: which elements of %s are used cannot be told before the loops run; "
                 "declare it with its size",
                 show_number(c->arena, d->feet[i].array, NULL));
            return false;
        }
    return true;
}

// Does the loop's mark name a reduction of the array? OP_SET: none; what threads have for themselves may be
// combined in more than one way.
static Op marked_reduction(const Node *loop, const Array *x) {
    const Mark *m = loop->mark;
    Op op = OP_SET;
    while (x->of) x = x->of;
    for (int k = 0; m && k < m->nred; k++) {
        if (m->red[k] != x) continue;
        if (op != OP_SET) return OP_SET;
        op = m->redop[k];
    }
    return op;
}

// Is another element updated in each iteration, as far as can be told?
static bool varies(const Plan *p, const Touch *t) {
    for (int d = 0; d < t->array->rank; d++)
        if (expr_has_load(t->sub[d]) || expr_uses_sym(t->sub[d], p->blame->iter)) return true;
    return false;
}

void stay_not_parallel(Plan *p) {
    const Region *r = p->region;
    if (!p->blame_x) {
        diag(p->c, DIAG_REMARK, SC_NO_PARALLEL, r->loc,
             "stays on the host: there is nothing to do in parallel here");
        return;
    }
    const Touch *x = p->blame_x, *y = p->blame_y;
    const char *part, *name = show_whole(p->a, x->array, NULL, &part), *loop = show_counter(p->blame);
    const char *untold = p->blame->mark ? p->blame->mark->untold : NULL;
    Op op = marked_reduction(p->blame, x->array);
    bool sum = x->update != OP_SET && x->update == y->update;
    bool so_far = (x->update != OP_SET) != (y->update != OP_SET) && !varies(p, x); // scans.c
    Slots slots = slots_of(p->a, r);
    bool word = !name[strcspn(name, "->.[")]; // a clause can name it
    if (sum && varies(p, x) && type_is_float(x->array->elem))
        diag(p->c, DIAG_REMARK, SC_UNORDERED, r->loc,
             "stays on the host: loop %s updates elements of %s in an order that its rounding hangs on; "
             "%s threads update them in any order",
             loop, name, *part ? "--permit unordered lets" // what is atomic is no complex number in C
                               : "'#pragma omp atomic' before the update, or --permit unordered, lets");
    else if (sum)
        diag(p->c, DIAG_REMARK, SC_REASSOCIATE, r->loc,
             "stays on the host: %s is a floating-point reduction in loop %s and keeps its order; "
             "%s--permit reassociate, to free it",
             name, loop,
             word ? arena_printf(p->a, "add reduction(%s:%s) to the mark, or ", op_text(x->update), name)
                  : "add ");
    else if (so_far && type_is_float(x->array->elem) && !r->reassociate)
        diag(p->c, DIAG_REMARK, SC_REASSOCIATE, r->loc,
             "stays on the host: each iteration of loop %s uses %s as all before it have left it (a prefix "
             "sum or product), and floating-point rounding hangs on that order; add --permit reassociate, to "
             "free it",
             loop, name);
    else if (r->linear)
        diag(p->c, DIAG_REMARK, SC_REASSOCIATE, r->loc,
             "stays on the host: loop %s goes on with %s as the iteration before has left it (a linear "
             "recurrence), and floating-point rounding hangs on that order; add --permit reassociate, to "
             "free it",
             loop, name);
    else if (op == OP_MUL && *part)
        diag(p->c, DIAG_REMARK, SC_NO_PARALLEL, r->loc,
             "stays on the host: products of complex numbers, as %s in loop %s, are computed in their order; "
             "of complex numbers sums alone can be a reduction",
             name, loop);
    else if (op != OP_SET)
        diag(p->c, DIAG_REMARK, SC_NO_PARALLEL, r->loc,
             "stays on the host: what loop %s does with %s at line %d is not seen to be the reduction that "
             "its mark names; %s, and no other use of %s in the loop would free it",
             loop, name, x->ev->loc.line,
             op == OP_MIN || op == OP_MAX
                 ? arena_printf(p->a, "'if (e %s %s) %s = e;' with nothing else in it, e of the same type",
                                op == OP_MAX ? ">" : "<", name, name)
                 : arena_printf(p->a, "'%s = %s %s e;'", name, name, op_text(op)), name);
    else if (slots_are_read(&slots, x->array))
        diag(p->c, DIAG_REMARK, SC_NO_PARALLEL, r->loc,
             "stays on the host: loop %s reads %s, of which it fills one element after the other; fill "
             "another array, and copy that back behind the loop, to free it",
             loop, name);
    else if (x->array->rank == 0 && untold && str_among(name, untold + strcspn(untold, ":") + 1))
        diag(p->c, DIAG_REMARK, SC_NO_PARALLEL, r->loc,
             "stays on the host: loop %s is a reduction of %s by '%.*s', which the program declares; of such "
             "operators those that do what + * & | ^ && || min or max does are taken",
             loop, name, (int)strcspn(untold, " :"), untold);
    else if (x->array->rank == 0)
        diag(p->c, DIAG_REMARK, SC_NO_PARALLEL, r->loc,
             "stays on the host: each iteration of loop %s needs %s as the one before left it, at line %d; a "
             "value that is computed from the counter alone would free it",
             loop, name, x->ev->loc.line);
    else
        diag(p->c, DIAG_REMARK, SC_NO_PARALLEL, r->loc,
             "stays on the host: loop %s carries a dependence on %s, from %s at line %d to %s at line %d; "
             "iterations that do not share elements would free it",
             loop, name, show_number(p->a, x->array, x->sub), x->ev->loc.line,
             show_number(p->a, y->array, y->sub), y->ev->loc.line);
}

static bool is_asserted(const LoopFact *f) {
    const Mark *m = f->loop->mark;
    return m && m->assert == ASSERT_PARALLEL && f->witness;
}

// How many iterations lie between them, where that is always the same.
static const char *apart(Arena *a, const char *distance) {
    if (strpbrk(distance, "*<>")) return "";
    if (strchr(distance, ',')) return arena_printf(a, ", %s iterations apart", distance);
    long n = labs(strtol(distance + 1, NULL, 10));
    return arena_printf(a, ", %ld iteration%s apart", n, n == 1 ? "" : "s");
}

// What iterations do to one element that leaves them in their order.
static const char *clash(Arena *a, const LoopFact *f) {
    const DepEnd *x = &f->witness->src, *y = &f->witness->dst;
    const char *loop = show_counter(f->loop), *gap = apart(a, f->witness->distance);
    bool same = str_eq(x->access, y->access);
    if (same && x->loc.line == y->loc.line && x->write == y->write)
        return arena_printf(a, "iterations of loop %s set the same %s at line %d%s", loop, x->access,
                            x->loc.line, gap);
    return arena_printf(a, "one iteration of loop %s %s %s at line %d and another %s it%s%s at line %d%s",
                        loop, x->write ? "sets" : "reads", x->access, x->loc.line,
                        y->write ? "sets" : "reads", same ? "" : " as ", same ? "" : y->access, y->loc.line,
                        gap);
}

// Marks that are not true. What a clause names is said where it matters, and atomic accesses race with none.
void stay_check_marks(Compile *c, const DepInfo *d) {
    for (int i = 0; i < d->nloops; i++) {
        const LoopFact *f = &d->loops[i];
        bool reduces = f->reduction == ANSWER_ALWAYS || f->reduction == ANSWER_WHEN;
        if (!is_asserted(f) || f->parallel != ANSWER_NEVER || reduces || f->loop->mark->dealt) continue;
        const DepEnd *x = &f->witness->src, *y = &f->witness->dst;
        if (marked_reduction(f->loop, f->witness->array) != OP_SET || (x->atomic && y->atomic)) continue;
        if (mark_reduces(f->loop->mark, f->witness->array, OP_SET)) continue;
        diag(c, DIAG_WARNING, SC_MARK_DISPROVED, f->loop->mark->loc,
             "the mark says parallel, but %s; that mark is not followed", clash(c->arena, f));
    }
}

// What a nest rests on.
void stay_tell_asserted(Compile *c, const DepInfo *d) {
    for (int i = 0; i < d->nloops; i++) {
        const LoopFact *f = &d->loops[i];
        if (!is_asserted(f) || f->parallel != ANSWER_UNKNOWN) continue;
        const char *x = f->witness->src.access, *y = f->witness->dst.access;
        diag(c, DIAG_REMARK, SC_ASSERTED, f->loop->mark->loc,
             "parallelism rests on the mark: nothing else tells whether %s the same element in different "
             "iterations",
             str_eq(x, y) ? arena_printf(c->arena, "%s is", x)
                          : arena_printf(c->arena, "%s and %s are", x, y));
    }
}

// How many divisions and their kin there are.
static int bends_in(const Expr *root) {
    static const Op bends[] = {OP_DIV, OP_MOD, OP_FDIV, OP_FMOD, OP_SHR, OP_AND, OP_SELECT, OP_MIN, OP_MAX};
    int n = 0;
    expr_each(x, root)
        for (size_t k = 0; k < sizeof bends / sizeof *bends; k++) n += x->kind == E_OP && x->op == bends[k];
    return n;
}

// The access whose subscripts have the most of them; no array: none has any.
static Access most_bent(Compile *c, const Region *r) {
    Access worst = {0};
    for (int i = 0, most = 0; i < r->nstmts; i++) {
        AccessVec all = stmt_accesses(c->arena, r->stmts[i]);
        for (int k = 0; k < all.n; k++) {
            int n = 0;
            for (int d = 0; d < all.at[k].array->rank; d++) n += bends_in(all.at[k].sub[d]);
            if (n > most) most = n, worst = all.at[k];
        }
    }
    return worst;
}

Nest *stay_too_hard(Compile *c, const Region *r) {
    enum { FEW = 8 }; // statements, of which the number is not what is hard
    Access worst = r->nstmts <= FEW ? most_bent(c, r) : (Access){0};
    if (worst.array)
        diag(c, DIAG_REMARK, SC_TOO_HARD, r->loc,
             "stays on the host: which accesses meet is too hard to decide for subscripts like %s; a "
             "simpler one, or another array for what is written, would free it",
             show_number(c->arena, worst.array, worst.sub));
    else
        diag(c, DIAG_REMARK, SC_TOO_HARD, r->loc,
             "stays on the host: its dependences are too many to decide; fewer statements or "
             "simpler subscripts in one region would free it");
    return NULL;
}

Nest *stay_never_inside(Compile *c, const DepInfo *d) {
    diag(c, DIAG_REMARK, SC_GUARD, d->region->loc, "stays on the host: %s", d->never);
    return NULL;
}

Nest *stay_never_ends(Compile *c, const Region *r) {
    diag(c, DIAG_REMARK, SC_CONTROL, r->loc,
         "stays on the host: a loop that the data end would have to run there; loops around it "
         "whose iterations do not depend on each other would free it");
    return NULL;
}

Nest *stay_no_scratch(Compile *c, const Region *r) {
    diag(c, DIAG_REMARK, SC_EXTENT, r->loc,
         "stays on the host: how many private arrays, of run-time size or large, there would be can't be "
         "told");
    return NULL;
}
