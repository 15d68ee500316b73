// SPDX-License-Identifier: MIT
// count.c -- how much work a region is: floating-point operations and bytes, as expressions.
//
// A loop's trip count in terms of outer counters is taken at their middle, which is exact
// for triangles up to lower-order terms. Only for rates and for the choice between host
// and device; nothing that must be right rests on it.
#include "dep/foot.h"

typedef struct Count {
    Arena *a;
    int n; // counters replaced so far
    const Sym *from[64];
    Expr *to[64];  // the middle of each counter's range, T_F64 made integer
    Expr *trips;   // product of the trip counts around, T_F64
    Expr *total;
    // operations that a statement counts at least; > 0: loops whose bounds are data are guessed
    int least;
    const Array *of; // counts the references to this instead
    bool lost;
} Count;

// Products and sums without ones and zeros, which people would have to read.
static Expr *times(Arena *a, Expr *x, Expr *y) {
    if (x->kind == E_FLOAT && x->f == 1) return y;
    return y->kind == E_FLOAT && y->f == 1 ? x : expr_op(a, OP_MUL, x, y, NULL);
}

static Expr *plus(Arena *a, Expr *x, Expr *y) { return x ? expr_op(a, OP_ADD, x, y, NULL) : y; }

// last - first + 1, at least 0, as a real number.
static Expr *span(Arena *a, Expr *first, Expr *end, int64_t more) {
    Expr *n = expr_sub(a, expr_cast(a, T_I64, end), expr_cast(a, T_I64, first));
    if (n->kind == E_OP && n->op == OP_SUB && n->args[1]->kind == E_INT && n->args[1]->i == more)
        n = n->args[0];
    else if (more) n = expr_add(a, n, expr_int(a, T_I64, more));
    return expr_cast(a, T_F64, expr_op(a, OP_MAX, n, expr_int(a, T_I64, 0), NULL));
}

static int stmt_flops(const Stmt *s) {
    int n = 0;
    expr_each(x, s->rhs) {
        if (!type_is_float(x->type) && x->kind == E_OP) continue;
        if (x->kind == E_OP && x->op != OP_SELECT && x->op != OP_NEG) n += x->op == OP_FMA ? 2 : 1;
        n += x->kind == E_CALL;
    }
    return n + (s->op != OP_SET && type_is_float(s->lhs->elem));
}

static int references(Count *k, const Stmt *s) {
    int n = 0;
    AccessVec v = stmt_accesses(k->a, s);
    for (int i = 0; i < v.n; i++) n += v.at[i].array == k->of;
    return n;
}

static void count(Count *k, Node *n);

static void count_for(Count *k, Node *n) {
    Expr *lo = expr_subst(k->a, n->lo, k->n, k->from, k->to),
         *hi = expr_subst(k->a, n->hi, k->n, k->from, k->to);
    bool data = expr_has_load(lo) || expr_has_load(hi);
    if ((data && !k->least) || k->n == 64) {
        k->lost = true;
        return;
    }
    Arena *a = k->a;
    Expr *trips = n->step > 0 ? span(a, lo, hi, 0) : span(a, hi, lo, 0);
    double step = n->step > 0 ? (double)n->step : -(double)n->step;
    if (step != 1) trips = expr_op(a, OP_DIV, trips, expr_float(a, T_F64, step), NULL);
    if (data || loop_is_unbounded(n)) trips = expr_float(a, T_F64, LOOP_ROUNDS);
    Expr *outer = k->trips;
    k->from[k->n] = n->iter;
    k->to[k->n] =
        expr_op(a, OP_DIV, expr_add(a, expr_cast(a, n->iter->type, lo), expr_cast(a, n->iter->type, hi)),
                expr_int(a, n->iter->type, 2), NULL);
    k->n++;
    k->trips = times(a, outer, trips);
    count(k, n->body);
    k->trips = outer;
    k->n--;
}

static void count(Count *k, Node *n) {
    if (!n || k->lost) return;
    switch (n->kind) {
    case N_SEQ:
        for (int i = 0; i < n->nkids; i++) count(k, n->kids[i]);
        break;
    case N_FOR: count_for(k, n); break;
    case N_IF:
        k->lost |= k->of && expr_has_load(n->cond);
        if (!expr_asks_nan(n->cond)) count(k, n->then);
        count(k, n->other);
        break;
    case N_STMT: {
        int ops = k->of ? references(k, n->stmt) : stmt_flops(n->stmt);
        if (ops < k->least) ops = k->least;
        if (ops) k->total = plus(k->a, k->total, times(k->a, expr_float(k->a, T_F64, ops), k->trips));
        break;
    }
    default: break;
    }
}

static Expr *count_ops(Compile *c, const Region *r, int least, const Array *of) {
    Count *k = NEW(c->arena, Count);
    k->a = c->arena;
    k->least = least;
    k->of = of;
    k->trips = expr_float(c->arena, T_F64, 1);
    count(k, r->root);
    return k->lost ? NULL : k->total ? k->total : expr_float(c->arena, T_F64, 0);
}

Expr *count_flops(Compile *c, const Region *r) { return count_ops(c, r, 0, NULL); }
Expr *count_work(Compile *c, const Region *r) { return count_ops(c, r, 2, NULL); }

// Of a box of which not all is touched no more than there are references.
Expr *count_bytes(Compile *c, const Region *r, int nfeet, const Foot *feet) {
    Arena *a = c->arena;
    Expr *total = NULL;
    for (int i = 0; i < nfeet; i++) {
        const Foot *f = &feet[i];
        Expr *size = expr_float(a, T_F64, type_size(f->array->elem) * ((f->in ? 1 : 0) + (f->out ? 1 : 0)));
        Expr *most = f->sparse && f->array->rank == 1 ? count_ops(c, r, 0, f->array) : NULL;
        for (int d = 0; d < f->array->rank; d++) {
            if (!f->lo[d] || !f->hi[d]) return NULL;
            Expr *n = span(a, f->lo[d], f->hi[d], 1);
            size = times(a, size, most ? expr_op(a, OP_MIN, n, most, NULL) : n);
        }
        total = plus(a, total, size);
    }
    return total ? total : expr_float(a, T_F64, 0);
}
