// SPDX-License-Identifier: MIT
// rows.c -- what is known of the program's memory beyond what the loops touch in one run.
//
//   for i = 0 .. n, k = 0 .. c, a = 0 .. 5      w[5 * k + a] is there for all k and a, also at an n so small
//       if (i + a < n) s += … * w[5 * k + a]    that the edge cuts some off: how large w is hangs on c alone
//   for i = 0 .. n, k = 0 .. c: r[i]         r[i] is there if c is 0, too
//   if (mask[i] > 0) y[i] = x[i]                y[i] and x[i] are there for all i: data don't change memory
//   hist[data[i]] += 1                          nobody says how large hist is
#include "equal/pair.h"
#include "front/normal.h"

typedef struct Walk {
    Arena *a;
    const Array *array;
    Rows *rows;
    VEC(const Node *) loops;
    VEC(const Expr *) conds; // around, without those of the data
} Walk;

static bool is_load(const Expr *x) { return x->kind == E_LOAD; }

// ---- spans ---------------------------------------------------------------------------------------
static const Node *loop_of(const Walk *w, const Sym *s) {
    for (int i = 0; i < w->loops.n; i++)
        if (w->loops.at[i]->iter == s) return w->loops.at[i];
    return NULL;
}

// Does y name a size on which the range of x, a subscript, does not hang, or a counter that runs as far as
// such a one?
static bool is_foreign(const Walk *w, const Expr *x, const Expr *y, int depth) {
    expr_each(z, y) {
        if (z->kind != E_SYM || depth > 8) continue;
        const Node *l = loop_of(w, z->sym);
        bool own = expr_uses_sym(x, z->sym);
        for (int i = 0; i < w->loops.n && !l; i++) {
            const Node *k = w->loops.at[i];
            bool bound = expr_uses_sym(k->lo, z->sym) || expr_uses_sym(k->hi, z->sym);
            own |= bound && expr_uses_sym(x, k->iter);
        }
        if (own) continue;
        if (!l || is_foreign(w, x, l->lo, depth + 1) || is_foreign(w, x, l->hi, depth + 1)) return true;
    }
    return false;
}

// A condition that holds at some sizes, whatever those are that the subscript's range hangs on.
static bool holds_somewhere(Walk *w, const Expr *x, const Expr *cond) {
    if (cond->kind == E_OP && cond->op == OP_LAND)
        return holds_somewhere(w, x, cond->args[0]) && holds_somewhere(w, x, cond->args[1]);
    return is_foreign(w, x, cond, 0);
}

// The greatest (sign 1) or least (-1) value of a subscript, where its counters run between sizes. NULL: they
// do not.
static Expr *end_of(Walk *w, Expr *x, int sign) {
    for (int i = w->loops.n - 1; i >= 0; i--) {
        const Node *l = w->loops.at[i];
        int own = counter_sign(w->a, x, l->iter);
        if (!own) continue;
        if (own == 2 || l->step != 1 || expr_any(l->lo, is_load) || expr_any(l->hi, is_load)) return NULL;
        Expr *to = own == sign ? expr_sub(w->a, l->hi, expr_int(w->a, l->hi->type, 1)) : l->lo;
        to = expr_cast(w->a, l->iter->type, to);
        x = expr_subst(w->a, x, 1, &l->iter, &to);
    }
    return x;
}

// Do the loops whose counters x names run at all?
static Expr *some_of(Walk *w, const Expr *x) {
    Expr *all = expr_int(w->a, T_I32, 1);
    for (int i = w->loops.n - 1; i >= 0; i--) {
        const Node *l = w->loops.at[i];
        if (!expr_uses_sym(x, l->iter)) continue;
        all = expr_op(w->a, OP_LAND, all, expr_op(w->a, OP_LT, l->lo, l->hi, NULL), NULL);
    }
    for (int i = 0; i < w->loops.n; i++)
        if (expr_uses_sym(all, w->loops.at[i]->iter)) return NULL;
    return all;
}

static void note_span(Walk *w, Expr *x) {
    bool ok = true, under = w->conds.n > 0;
    for (int i = 0; i < w->conds.n; i++) ok = ok && holds_somewhere(w, x, w->conds.at[i]);
    for (int i = 0; i < w->loops.n; i++) { // a loop that may have no round is a condition, too
        const Node *l = w->loops.at[i];
        if (expr_uses_sym(x, l->iter) || (l->lo->kind == E_INT && l->hi->kind == E_INT)) continue;
        under = true;
        ok = ok && holds_somewhere(w, x, expr_op(w->a, OP_LT, l->lo, l->hi, NULL));
    }
    if (!under) return;
    Span s = {0};
    if (ok) s = (Span){end_of(w, x, -1), end_of(w, x, 1), some_of(w, x)};
    if (s.lo && s.hi && s.when) vec_push(w->a, &w->rows->spans, s);
}

static void note(Walk *w, const Array *v, Expr *const *sub, bool data) {
    if (v != w->array) return;
    Rows *r = w->rows;
    bool counted = false, unknown = false;
    for (int d = 0; d < v->rank; d++) unknown |= expr_any(sub[d], is_load);
    r->unknown |= unknown;
    for (int i = 0; i < w->loops.n; i++) { // what data count is as long as they say
        const Node *l = w->loops.at[i];
        bool told = expr_any(l->lo, is_load) || expr_any(l->hi, is_load), used = false;
        for (int d = 0; d < v->rank; d++) used |= expr_uses_sym(sub[d], l->iter);
        counted |= told && used;
        data |= told && !used;
    }
    r->data |= data && !counted;
    if (v->rank && !unknown) note_span(w, sub[0]);
}

static void look(Walk *w, Expr *x, bool data) {
    if (x->kind == E_LOAD) note(w, x->array, x->args, data);
    bool lazy = x->kind == E_OP && (x->op == OP_SELECT || x->op == OP_LAND || x->op == OP_LOR);
    bool told = lazy && expr_any(x->args[0], is_load);
    for (int i = 0; i < x->nargs; i++) {
        bool under = lazy && !told && i;
        if (under) vec_push(w->a, &w->conds, x->args[0]);
        look(w, x->args[i], data || (told && i));
        w->conds.n -= under;
    }
}

static void walk(Walk *w, Node *n, bool data) {
    if (!n) return;
    if (n->kind == N_FOR) {
        look(w, n->lo, data), look(w, n->hi, data);
        vec_push(w->a, &w->loops, n);
        walk(w, n->body, data);
        w->loops.n--;
    }
    if (n->kind == N_IF) {
        look(w, n->cond, data);
        bool told = expr_any(n->cond, is_load);
        data |= told;
        if (!told) vec_push(w->a, &w->conds, n->cond);
        walk(w, n->then, data), walk(w, n->other, data);
        w->conds.n -= !told;
    }
    for (int i = 0; n->kind == N_SEQ && i < n->nkids; i++) walk(w, n->kids[i], data);
    if (n->kind != N_COPY || !n->dst) return;
    for (int d = 0; d < n->dst->rank; d++) look(w, n->sub[d], data);
    look(w, n->src, data);
    note(w, n->dst, n->sub, data);
}

const Rows *equal_rows(Pair *p, const Array *v) {
    const Region *r = p->region;
    if (!p->rows) {
        p->rows = NEW_N(p->a, Rows, r->narrays + 1);
        for (int i = 0; i < r->narrays; i++) {
            walk(&(Walk){.a = p->a, .array = r->arrays[i], .rows = &p->rows[i]}, p->loops, false);
        }
    }
    for (int i = 0; i < r->narrays; i++)
        if (r->arrays[i] == v) return &p->rows[i];
    return NULL;
}
