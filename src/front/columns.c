// SPDX-License-Identifier: MIT
// columns.c -- sums of neighbours in an image, column by column.
//
//   x[i-1][j-1] + 2*x[i][j-1] + x[i+1][j-1] - x[i-1][j+1] - 2*x[i][j+1] - x[i+1][j+1]
//   becomes (x[i-1][j-1] + 2*x[i][j-1] + x[i+1][j-1]) - (x[i-1][j+1] + 2*x[i][j+1] + x[i+1][j+1])
//
// A device's compiler finds such a column once for all results side by side that a thread makes. Whole
// numbers of 8 and 16 bits with constant weights alone: no order of adding them up overflows. Loops over few
// such terms, with weights in tables of constants, are written out first.
#include "front/normal.h"
#include "ir/table.h"
#include "ir/value.h"

enum { MOST_TERMS = 64, LEAST_TERMS = 4 };

typedef struct Weighed {
    Expr *load;              // as the sum has it: cast to the sum's type
    const Expr *base;        // of the last subscript, which is base + at
    int64_t weight, at;
} Weighed;

typedef struct Terms {
    Arena *a;
    Type type;
    int n;
    Weighed term[MOST_TERMS];
    int64_t constant;
} Terms;

// ---- subscripts ----------------------------------------------------------------------------------
// x is the result and *c; NULL: it is a number.
static const Expr *shifted(const Expr *x, int64_t *c) {
    if (x->kind == E_INT) return *c += x->i, NULL;
    bool sum = x->kind == E_OP && (x->op == OP_ADD || x->op == OP_SUB) && x->args[1]->kind == E_INT;
    if (!sum) return x;
    *c += x->op == OP_ADD ? x->args[1]->i : -x->args[1]->i;
    return shifted(x->args[0], c);
}

static bool same_base(const Expr *x, const Expr *y) { return x == y || (x && y && expr_equal(x, y)); }

static Expr *plainly(Expr *x, void *arg) {
    int64_t c = 0;
    Arena *a = arg;
    Expr *base = (Expr *)shifted(x, &c);
    if (!base || base == x) return x;
    return c < 0 ? expr_op(a, OP_SUB, base, expr_int(a, x->type, -c), NULL)
                 : expr_add(a, base, expr_int(a, x->type, c));
}

static const Expr *load_of(const Weighed *t) { return t->load->kind == E_CAST ? t->load->args[0] : t->load; }

// Does the row of x stand before that of y? Rows that can't be compared stay as they are.
static bool is_above(const Weighed *x, const Weighed *y) {
    const Expr *p = load_of(x), *q = load_of(y);
    for (int d = 0; d + 1 < p->array->rank; d++) {
        int64_t m = 0, n = 0;
        if (!same_base(shifted(p->args[d], &m), shifted(q->args[d], &n))) return false;
        if (m != n) return m < n;
    }
    return false;
}

// ---- terms ---------------------------------------------------------------------------------------
static bool add_term(Terms *t, Expr *x, int64_t weight) {
    const Expr *load = x->kind == E_CAST ? x->args[0] : x;
    if (load->kind != E_LOAD || type_is_float(load->array->elem) || type_size(load->array->elem) > 2 ||
        load->array->rank < 2 || (t->n && load->array != load_of(&t->term[0])->array))
        return false;
    Expr *own = expr_load(t->a, load->array, exprs_map(t->a, load->array->rank, load->args, plainly, t->a));
    own->loc = load->loc, own->moved = load->moved;
    x = expr_cast(t->a, t->type, own);
    for (int k = 0; k < t->n; k++)
        if (expr_equal(t->term[k].load, x)) return t->term[k].weight += weight, true;
    if (t->n == MOST_TERMS) return false;
    Weighed w = {.load = x, .weight = weight};
    w.base = shifted(own->args[load->array->rank - 1], &w.at);
    t->term[t->n++] = w;
    return true;
}

// What a table of constants holds at a place; false: it is none.
static bool entry(Arena *a, const Expr *x, int64_t *v) {
    if (is_literal_int(x, v)) return true;
    if (x->kind == E_CAST && type_is_int(x->type))
        return entry(a, x->args[0], v) && (*v = value_wrap(x->type, *v), true);
    if (x->kind != E_LOAD || !table_has_each(x->array)) return false;
    int64_t *sub = NEW_N(a, int64_t, x->array->rank + 1);
    for (int d = 0; d < x->array->rank; d++) {
        sub[d] = 0;
        if (shifted(x->args[d], &sub[d])) return false;
    }
    return table_value(x->array, sub, v);
}

static bool collect(Terms *t, Expr *x, int64_t weight) {
    int64_t v, most = (int64_t)1 << 20;
    if (entry(t->a, x, &v)) return v > -most && v < most && (t->constant += weight * v, true);
    if (x->kind == E_OP && x->type == t->type) {
        switch (x->op) {
        case OP_ADD: return collect(t, x->args[0], weight) && collect(t, x->args[1], weight);
        case OP_SUB: return collect(t, x->args[0], weight) && collect(t, x->args[1], -weight);
        case OP_NEG: return collect(t, x->args[0], -weight);
        case OP_MUL:
            for (int k = 0; k < 2; k++)
                if (entry(t->a, x->args[k], &v))
                    return v > -most && v < most && weight > -most && weight < most &&
                           collect(t, x->args[1 - k], weight * v);
            return false;
        default: return false;
        }
    }
    return add_term(t, x, weight);
}

// Do all parts of the sum fit its type, in whichever order?
static bool fits(const Terms *t) {
    int64_t sum = t->constant < 0 ? -t->constant : t->constant, most = INT32_MAX;
    for (int k = 0; k < t->n && sum <= most; k++) {
        int64_t w = t->term[k].weight < 0 ? -t->term[k].weight : t->term[k].weight;
        sum += w <= most ? w * (type_size(load_of(&t->term[k])->array->elem) == 1 ? 255 : 65535) : most + 1;
    }
    return sum <= most;
}

// ---- columns ---------------------------------------------------------------------------------------
static bool same_column(const Weighed *x, const Weighed *y) {
    return x->at == y->at && same_base(x->base, y->base);
}

// Those of term k's column to `out`, from the uppermost row on. 0: an earlier term has it.
static int column_of(const Terms *t, int k, Weighed *out) {
    int n = 0;
    for (int i = 0; i < t->n; i++) {
        if (!same_column(&t->term[i], &t->term[k])) continue;
        if (i < k) return 0;
        int at = n++;
        for (; at > 0 && is_above(&t->term[i], &out[at - 1]); at--) out[at] = out[at - 1];
        out[at] = t->term[i];
    }
    return n;
}

static int64_t divisor(int64_t x, int64_t y) { return y ? divisor(y, x % y) : x < 0 ? -x : x; }

static Expr *times(const Terms *t, Expr *x, int64_t by) {
    return by == 1 ? x : expr_mul(t->a, x, expr_int(t->a, t->type, by));
}

static Expr *with(const Terms *t, Expr *sum, Expr *x, int64_t by) {
    if (!sum) return times(t, x, by);
    return expr_op(t->a, by < 0 ? OP_SUB : OP_ADD, sum, times(t, x, by < 0 ? -by : by), NULL);
}

// A sum of n parts; what is added goes first, so that it begins with a minus only where all do.
static Expr *added(const Terms *t, int n, Expr *const *part, const int64_t *by) {
    Expr *sum = NULL;
    for (int up = 1; up >= 0; up--)
        for (int k = 0; k < n; k++)
            if ((by[k] > 0) == up) sum = with(t, sum, part[k], by[k]);
    return sum;
}

// The column's terms without what all their weights have in common, which is *scale; the last is added.
static Expr *column(const Terms *t, int n, const Weighed *x, int64_t *scale) {
    int64_t all = 0, by[MOST_TERMS];
    Expr *part[MOST_TERMS];
    for (int i = 0; i < n; i++) all = divisor(all, x[i].weight);
    *scale = x[n - 1].weight < 0 ? -all : all;
    for (int i = 0; i < n; i++) part[i] = x[i].load, by[i] = x[i].weight / *scale;
    return added(t, n, part, by);
}

// NULL: nothing stands in columns.
static Expr *by_columns(Terms *t) {
    Weighed of[MOST_TERMS];
    Expr *part[MOST_TERMS], *sum;
    int64_t scale[MOST_TERMS];
    int columns = 0, most = 0, left = 0;
    for (int k = 0; k < t->n; k++) // terms that cancel
        if (t->term[k].weight) t->term[left++] = t->term[k];
    t->n = left;
    for (int k = 0; k < t->n; k++) {
        int n = column_of(t, k, of);
        if (n) part[columns] = column(t, n, of, &scale[columns]), columns++;
        most = n > most ? n : most;
    }
    if (t->n < LEAST_TERMS || columns < 2 || most < 2) return NULL;
    sum = added(t, columns, part, scale);
    return t->constant ? expr_add(t->a, sum, expr_int(t->a, t->type, t->constant)) : sum;
}

static Expr *in_columns(Expr *x, void *arg) {
    Arena *a = arg;
    bool sum = x->kind == E_OP && (x->op == OP_ADD || x->op == OP_SUB) && x->type == T_I32;
    if (sum) {
        Terms t = {.a = a, .type = x->type};
        Expr *y = collect(&t, x, 1) && fits(&t) ? by_columns(&t) : NULL;
        if (y) return y;
    }
    return expr_map(a, x, in_columns, arg);
}

// ---- loops over terms ------------------------------------------------------------------------------
enum { MOST_SUMS = 4 };
typedef struct Written {
    Arena *a;
    int nloops, nsums, trips;
    const Sym *counter[8];
    Expr *value[8];
    Node *leaf[MOST_SUMS];
    Terms terms[MOST_SUMS];
} Written;

static bool write_out(Written *w, Node *n);

static bool write_loop(Written *w, Node *n) {
    int64_t trips = n->how == HOW_SERIAL && !n->mark ? loop_literal_trips(n->lo, n->hi, n->step) : -1;
    if (trips < 1 || trips > MOST_TERMS || w->nloops == 8) return false;
    int at = w->nloops++;
    w->counter[at] = n->iter;
    for (int64_t k = 0; k < trips; k++) {
        w->value[at] = expr_int(w->a, n->iter->type, n->lo->i + k * n->step);
        if (!write_out(w, n->body)) return false;
    }
    w->nloops--;
    return true;
}

static bool write_leaf(Written *w, Node *n) {
    const Stmt *s = n->stmt;
    bool sum = s->op == OP_ADD && s->lhs->rank == 0 && s->lhs->elem == T_I32 && s->rhs->type == T_I32 &&
               !s->atomic && is_temporary(s->lhs);
    int at = 0;
    while (at < w->nsums && w->leaf[at]->stmt->lhs != s->lhs) at++;
    if (!sum || at == MOST_SUMS || (at < w->nsums && w->leaf[at]->stmt != s) || expr_reads(s->rhs, s->lhs))
        return false;
    if (at == w->nsums) w->leaf[w->nsums] = n, w->terms[w->nsums++] = (Terms){.a = w->a, .type = T_I32};
    Expr *x = expr_subst(w->a, s->rhs, w->nloops, w->counter, w->value);
    return ++w->trips <= MOST_SUMS * MOST_TERMS && collect(&w->terms[at], x, 1);
}

static bool write_out(Written *w, Node *n) {
    if (n->kind == N_FOR) return write_loop(w, n);
    if (n->kind == N_STMT) return write_leaf(w, n);
    for (int k = 0; n->kind == N_SEQ && k < n->nkids; k++)
        if (!write_out(w, n->kids[k])) return false;
    return n->kind == N_SEQ && !n->nlocals;
}

// The loop's sums without the loop; NULL: they stay.
static Node *written_out(Arena *a, Node *loop) {
    Written *w = NEW(a, Written);
    Node *all = NULL;
    *w = (Written){.a = a};
    if (!write_out(w, loop)) return NULL;
    for (int k = 0; k < w->nsums; k++) {
        Expr *sum = fits(&w->terms[k]) ? by_columns(&w->terms[k]) : NULL;
        if (!sum) return NULL;
        Stmt *s = NEW_AS(a, Stmt, *w->leaf[k]->stmt);
        s->rhs = sum;
        all = seq_join(a, all, stmt_leaf(a, s));
    }
    return all;
}

static Node *node(Rebuild *b, Node *n) {
    Node *plain = n->kind == N_FOR ? written_out(b->a, n) : NULL;
    return plain ? plain : n;
}

static Stmt *stmt(Rebuild *b, Stmt *s) {
    s->rhs = in_columns(s->rhs, b->a);
    return s;
}

Region *pass_columns(Normal *m, Region *r) {
    if (m->c->traps) return r;
    Rebuild b = {.a = m->a, .node = node, .stmt = stmt};
    return region_with(m, r, rebuild_node(&b, r->root));
}
