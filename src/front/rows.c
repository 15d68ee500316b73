// SPDX-License-Identifier: MIT
// rows.c -- strides that are numbers: a[i*1024 + k] becomes a[i][k].
//
// Such subscripts are affine as they stand, so nothing is to be gained for an analysis; that an array
// has rows is what tiles, packing and vectors ask for. So a number counts as a stride only where that
// costs no condition: every access certainly stays within its row, by loops whose bounds are numbers. Where
// data choose a place in a row, x[i*10 + label[i]], the host looks whether it does.
//
// And rows that no counter goes across, as at the edges of a grid: a[(ny - 1)*nx + i], where i < nx. How long
// they are the loop along them tells.
#include "front/shape.h"
#include <stdlib.h>

enum { LEAST_ROW = 16, MOST_STRIDES = 4 }; // elements; shorter ones are the fields of something

static int smaller_first(const void *px, const void *py) {
    int64_t x = *(const int64_t *)px, y = *(const int64_t *)py;
    return (x > y) - (x < y);
}

// The coefficients that may be strides, each once and a multiple of the one before. 0: there are none.
static int candidates(Sums *k, const Shape *shape, int64_t out[MOST_STRIDES]) {
    VEC(int64_t) all = {0};
    int n = 0;
    for (int i = 0; i < shape->seen.n; i++) {
        ShapeTerms terms = {0};
        Sum *fixed;
        if (!shape_terms(k, shape->seen.at[i].x, &terms, &fixed)) return 0;
        for (int t = 0; t < terms.n; t++) {
            int64_t c;
            if (sum_is_const(terms.at[t].coef, &c) && llabs(c) >= (shape->picked ? 2 : LEAST_ROW))
                vec_push(k->a, &all, llabs(c));
        }
    }
    if (all.n) qsort(all.at, (size_t)all.n, sizeof *all.at, smaller_first);
    for (int i = 0; i < all.n; i++) {
        if (n && (all.at[i] == out[n - 1] || all.at[i] % out[n - 1])) continue;
        if (n == MOST_STRIDES) return 0;
        out[n++] = all.at[i];
    }
    return n;
}

// Numbers, and counters between numbers, alone?
static bool is_certain(const Expr *x, int nloops, const ShapeLoop *loops) {
    if (x->kind == E_INT) return true;
    if (x->kind == E_SYM) {
        for (int i = nloops - 1; i >= 0; i--)
            if (loops[i].iter == x->sym)
                return is_certain(loops[i].lo, i, loops) && is_certain(loops[i].hi, i, loops);
        return false;
    }
    bool linear =
        x->kind == E_CAST || (x->kind == E_OP && (x->op == OP_ADD || x->op == OP_SUB || x->op == OP_MUL));
    for (int i = 0; linear && i < x->nargs; i++) linear = is_certain(x->args[i], nloops, loops);
    return linear;
}

bool shape_stays(Sums *k, const Shape *shape, bool certain) {
    bool along = false;
    for (int i = 0; i < shape->seen.n; i++) {
        const ShapeSeen *s = &shape->seen.at[i];
        Expr **sub = NEW_N(k->a, Expr *, shape->nstrides + 1);
        k->facts.n = 0;
        for (int f = 0; f < s->nfacts; f++) vec_push(k->a, &k->facts, s->facts[f]);
        shape_split(k, shape, s->x, s->nloops, s->loops, sub);
        for (int d = 1; d <= shape->nstrides; d++) {
            Sum *rest = sum_of(k, sub[d]), *r;
            Sum *row = d < shape->nstrides ? sum_div(k, shape->strides[d - 1], shape->strides[d], &r)
                                           : shape->strides[d - 1];
            if (!rest || !row || (certain && !is_certain(sub[d], s->nloops, s->loops))) return false;
            if (shape_outside(k, rest, row, s->nloops, s->loops) > 0) return false;
            along |= expr_varies(sub[d]);
        }
    }
    return along;
}

bool shape_find_rows(Sums *k, Shape *shape) {
    int64_t size[MOST_STRIDES];
    int n = shape->wraps ? 0 : candidates(k, shape, size);
    // A multiple of a stride may be several rows at a time.
    for (; n > 0; n--) {
        shape->strides = NEW_N(k->a, Sum *, n);
        for (int i = 0; i < n; i++) shape->strides[i] = sum_int(k, size[n - 1 - i]);
        shape->nstrides = n;
        if (shape_stays(k, shape, !shape->picked)) return true;
    }
    shape->nstrides = 0;
    return false;
}

// The end of a loop, where it is a parameter that what stands still in a subscript is a multiple of.
static Sum *row_length(Sums *k, const ShapeLoop *loop, const Sum *fixed) {
    Sum *row = loop->upward ? sum_of(k, loop->hi) : NULL, *rest, *rows;
    if (!row || row->n != 1 || row->t[0].n != 1 || row->t[0].c != 1) return NULL;
    const Expr *x = k->atoms.at[row->t[0].f[0]];
    if (x->kind != E_SYM || x->sym->kind != SYM_PARAM) return NULL;
    rows = sum_div(k, fixed, row, &rest);
    return rows && sum_degree(rows) > 0 && sum_degree(rest) < 2 ? row : NULL;
}

bool shape_find_edges(Sums *k, Shape *shape) {
    if (shape->wraps || shape->picked) return false;
    for (int i = 0; i < shape->seen.n; i++) {
        const ShapeSeen *s = &shape->seen.at[i];
        ShapeTerms terms = {0};
        Sum *fixed;
        if (!shape_terms(k, s->x, &terms, &fixed) || sum_degree(fixed) < 2) continue;
        for (int l = 0; l < s->nloops; l++) {
            Sum *row = row_length(k, &s->loops[l], fixed);
            if (!row) continue;
            shape->strides = NEW_N(k->a, Sum *, 1);
            shape->strides[0] = row;
            shape->nstrides = 1;
            if (shape_stays(k, shape, false)) return true;
        }
    }
    shape->nstrides = 0;
    return false;
}
