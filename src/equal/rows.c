// SPDX-License-Identifier: MIT
// rows.c -- what is known of the program's memory beyond what the loops touch in one run.
//
//   for k = 0 .. 5  w[k]                     five elements, whatever the sizes are and even if an edge cuts
//   some off if (mask[i] > 0) y[i] = x[i]             y[i] and x[i] are there for all i: data don't change
//   memory hist[data[i]] += 1                       nobody says how large hist is
#include "equal/pair.h"
#include "front/normal.h"

typedef struct Walk {
    Arena *a;
    const Array *array;
    Rows *rows;
    VEC(const Node *) loops;
} Walk;

static bool is_load(const Expr *x) { return x->kind == E_LOAD; }

static bool is_constant(const Node *loop) { return loop->lo->kind == E_INT && loop->hi->kind == E_INT; }

// The greatest (sign 1) or least (-1) first subscript, where all of them are functions of counters that run
// between numbers. NULL: they are not.
static Expr *end_of(Walk *w, Expr *x, int sign) {
    for (int i = w->loops.n - 1; i >= 0; i--) {
        const Node *l = w->loops.at[i];
        int own = counter_sign(w->a, x, l->iter);
        if (!own) continue;
        if (own == 2 || !is_constant(l) || l->lo->i >= l->hi->i) return NULL;
        Expr *least = expr_int(w->a, l->iter->type, l->lo->i),
             *most = expr_int(w->a, l->iter->type, l->hi->i - 1);
        x = expr_subst(w->a, x, 1, &l->iter, own == sign ? &most : &least);
    }
    return x;
}

static void note(Walk *w, const Array *v, Expr *const *sub, bool data) {
    if (v != w->array) return;
    Rows *r = w->rows;
    int64_t lo, hi;
    bool fixed = true, counted = false;
    for (int d = 0; d < v->rank; d++) r->unknown |= expr_any(sub[d], is_load);
    for (int i = 0; i < w->loops.n; i++) { // what data count is as long as they say
        const Node *l = w->loops.at[i];
        bool told = expr_any(l->lo, is_load) || expr_any(l->hi, is_load), used = false;
        for (int d = 0; d < v->rank; d++) used |= expr_uses_sym(sub[d], l->iter);
        counted |= told && used;
        data |= told && !used;
    }
    r->data |= data && !counted;
    Expr *x = v->rank == 1 && !r->unknown ? end_of(w, sub[0], -1) : NULL;
    Expr *y = x ? end_of(w, sub[0], 1) : NULL;
    fixed = y && ir_eval(x, 0, NULL, &lo) && ir_eval(y, 0, NULL, &hi);
    if (fixed && r->lo <= r->hi) lo = lo < r->lo ? lo : r->lo, hi = hi > r->hi ? hi : r->hi;
    if (!fixed) r->open = true;
    else r->lo = lo, r->hi = hi;
}

static void look(Walk *w, Expr *x, bool data) {
    if (x->kind == E_LOAD) note(w, x->array, x->args, data);
    bool lazy = x->kind == E_OP && (x->op == OP_SELECT || x->op == OP_LAND || x->op == OP_LOR);
    bool told = lazy && expr_any(x->args[0], is_load);
    for (int i = 0; i < x->nargs; i++) look(w, x->args[i], data || (told && i));
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
        data |= expr_any(n->cond, is_load);
        walk(w, n->then, data), walk(w, n->other, data);
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
            Rows *x = &p->rows[i];
            *x = (Rows){.hi = -1};
            walk(&(Walk){.a = p->a, .array = r->arrays[i], .rows = x}, p->loops, false);
            x->fixed = !x->open && !x->unknown && x->lo <= x->hi;
        }
    }
    for (int i = 0; i < r->narrays; i++)
        if (r->arrays[i] == v) return &p->rows[i];
    return NULL;
}
