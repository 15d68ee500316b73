// SPDX-License-Identifier: MIT
// instances.c -- how many statement instances a nest runs: extents multiplied, and stepped
// through only where the loops below need the counter.
#include "tune/instances.h"

enum { VALUES_MAX = 96, STEPS_MAX = 4000000 };

typedef struct Count {
    int n;
    InterpVal v[VALUES_MAX];
    int64_t steps;
    bool lost;
} Count;

// Does how often statements run depend on it?
static bool counts_by(const Node *root, const Sym *s) {
    node_each(n, root) {
        if (n->kind == N_FOR && (expr_uses_sym(n->lo, s) || expr_uses_sym(n->hi, s))) return true;
        if (n->kind == N_IF && n->other && expr_uses_sym(n->cond, s)) return true;
    }
    return false;
}

static double count(Count *c, const Node *n);

static double count_loop(Count *c, const Node *n) {
    int64_t lo, hi;
    if (!ir_eval(n->lo, c->n, c->v, &lo) || !ir_eval(n->hi, c->n, c->v, &hi) || c->n == VALUES_MAX) {
        c->lost = true;
        return 0;
    }
    int64_t step = n->step, trips = step > 0 ? (hi - lo + step - 1) / step : (lo - hi - step - 1) / -step;
    if (trips <= 0) return 0;
    bool used = counts_by(n->body, n->iter);
    double sum = 0;
    InterpVal *v = &c->v[c->n++];
    *v = (InterpVal){.sym = n->iter, .i = lo};
    for (int64_t k = 0; k < (used ? trips : 1) && !c->lost; k++, v->i += step) {
        if (++c->steps > STEPS_MAX) c->lost = true;
        sum += count(c, n->body);
    }
    c->n--;
    return used ? sum : sum * (double)trips;
}

static double count_if(Count *c, const Node *n) {
    int64_t holds;
    if (ir_eval(n->cond, c->n, c->v, &holds)) {
        if (holds || n->other) return count(c, holds ? n->then : n->other);
        // Behind a condition of counters, whose value is that of the first iteration: as if true.
    }
    return count(c, n->then);
}

static double count(Count *c, const Node *n) {
    double sum = 0;
    if (!n || c->lost) return 0;
    switch (n->kind) {
    case N_STMT: return n->stmt->op != OP_SET;
    case N_FOR: return count_loop(c, n);
    case N_IF: return count_if(c, n);
    case N_KERNEL: return count(c, n->body);
    case N_SEQ:
        for (int i = 0; i < n->nkids; i++) sum += count(c, n->kids[i]);
        return sum;
    default: return 0;
    }
}

static double count_tree(const Node *root, int nvals, const InterpVal *vals) {
    Count c = {.n = 0};
    if (nvals > VALUES_MAX / 2) return -1;
    for (int i = 0; i < nvals; i++) c.v[c.n++] = vals[i];
    double n = count(&c, root);
    return c.lost ? -1 : n;
}

double instances_run(const Nest *n, int nvals, const InterpVal *vals) {
    return count_tree(n->root, nvals, vals);
}
double instances_region(const Region *r, int nvals, const InterpVal *vals) {
    return count_tree(r->root, nvals, vals);
}
