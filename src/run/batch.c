// SPDX-License-Identifier: MIT
// batch.c -- sizes that only tell how many there are of what the rest of a region does.
//
//   for (q = 0; q < count; q++) for (j …) for (i …) c[q][j][i] = …
//
// Of q only the number of blocks hangs: each access names it, and none in the last subscript, so it divides
// into no tile that another loop shares and into no vector. Which numbers divide `count` is no matter.
#include "run/state.h"

typedef struct Look {
    const Unit *u;
    const Sym *size;
    bool only;          // so far `size` is found nowhere else
    Arena *a;
} Look;

// Does each access of the statement name the counter, and not last?
static bool is_over(Look *l, const Node *n, const Sym *counter) {
    const Stmt *s = n->stmt;
    int d = 0;
    while (d < s->depth && !(n->at[d]->kind == E_SYM && n->at[d]->sym == counter)) d++;
    if (d == s->depth) return false;
    AccessVec of = stmt_accesses(l->a, s);
    for (int i = 0; i < of.n; i++) {
        const Access *x = &of.at[i];
        int rank = x->array->rank;
        bool named = false;
        if (x->array->place != PLACE_USER) continue;
        for (int k = 0; k + 1 < rank; k++) named = named || expr_uses_sym(x->sub[k], s->iters[d]);
        if (!named || expr_uses_sym(x->sub[rank - 1], s->iters[d])) return false;
    }
    return true;
}

static void under(Look *l, const Node *n, const Sym *counter) {
    const Node *kid;
    if (n->kind == N_STMT) l->only = l->only && is_over(l, n, counter);
    for (int i = 0; (kid = node_kid(n, i)); i++) under(l, kid, counter);
}

static void see(Look *l, const Node *n) {
    const Expr *hi = n->kind == N_FOR ? n->hi : NULL;
    while (hi && hi->kind == E_CAST) hi = hi->args[0];
    if (hi && hi->kind == E_SYM && hi->sym == l->size) under(l, n, n->iter);
    else if (n->kind == N_FOR) l->only = l->only && !expr_uses_sym(n->hi, l->size);
    if (n->kind == N_FOR) l->only = l->only && !expr_uses_sym(n->lo, l->size);
    if (n->kind == N_IF) l->only = l->only && !expr_uses_sym(n->cond, l->size);
    for (int i = 0; n->kind == N_SEQ && i < n->nlocals; i++)
        for (int d = 0; d < n->locals[i]->rank; d++) {
            const Expr *extent = n->locals[i]->extent[d];
            l->only = l->only && !(extent && expr_uses_sym(extent, l->size));
        }
}

static bool is_counter(const Unit *u, const Sym *size, Arena *a) {
    const Region *r = u->region;
    Look l = {u, size, type_is_int(size->type), a};
    for (int i = 0; i < r->narrays; i++)
        for (int d = 1; d < r->arrays[i]->rank; d++)
            l.only = l.only && !expr_uses_sym(r->arrays[i]->extent[d], size);
    for (int i = 0; i < r->nstmts; i++) {
        const Stmt *s = r->stmts[i];
        l.only = l.only && !expr_uses_sym(s->rhs, size);
        for (int d = 0; d < s->lhs->rank; d++) l.only = l.only && !expr_uses_sym(s->sub[d], size);
    }
    if (l.only) node_each(n, r->root) see(&l, n);
    return l.only;
}

bool batch_counts(Unit *u, int param) {
    if (!u->counts) {
        u->counts = NEW_N(u->c->arena, bool, u->region->nparams + 1);
        Arena *a = arena_new();
        for (int i = 0; i < u->region->nparams; i++) u->counts[i] = is_counter(u, u->region->params[i], a);
        arena_free(a);
    }
    return u->counts[param];
}
