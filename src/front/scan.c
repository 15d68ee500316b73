// SPDX-License-Identifier: MIT
// scan.c -- questions about trees: who reads what, who writes what.
#include "front/normal.h"
#include "ir/table.h"

bool expr_reads(const Expr *x, const Array *v) {
    expr_each(y, x)
        if (y->kind == E_LOAD && y->array == v) return true;
    return false;
}

static bool is_data(const Expr *x) { return x->kind == E_LOAD && !array_is_table(x->array); }
bool expr_reads_data(const Expr *x) { return expr_any(x, is_data); }

bool expr_may_read(const Expr *x, const Array *v) {
    expr_each(y, x)
        if (y->kind == E_LOAD && arrays_may_overlap(y->array, v)) return true;
    return false;
}

bool stmt_reads(const Stmt *s, const Array *v) {
    for (int k = 0; k < s->lhs->rank; k++)
        if (expr_reads(s->sub[k], v)) return true;
    return expr_reads(s->rhs, v);
}

bool node_reads(Node *root, const Array *v) {
    node_each(n, root)
        node_each_expr(x, n)
            if (x->kind == E_LOAD && x->array == v) return true;
    return false;
}

static bool only_sets(const Node *root, const Array *v) {
    node_each(n, root)
        if (n->kind != N_SEQ && !(n->kind == N_STMT && n->stmt->lhs == v)) return false;
    return true;
}

bool node_needs(Node *root, const Array *v) {
    node_each(n, root) {
        bool sets = n->kind == N_IF ? only_sets(n->then, v) && only_sets(n->other, v)
                                    : n->kind == N_STMT && n->stmt->lhs == v;
        if (sets) continue;
        node_each_expr(x, n)
            if (x->kind == E_LOAD && x->array == v) return true;
    }
    return false;
}

bool node_writes(Node *root, const Array *v) {
    node_each(n, root)
        if (n->kind == N_STMT && n->stmt->lhs == v) return true;
    return false;
}

bool node_uses(Node *n, const Array *v) { return node_reads(n, v) || node_writes(n, v); }

bool has_array(const ArrayVec *v, const Array *x) { return has_pointer(v->n, v->at, x); }

ArrayVec node_written(Arena *a, Node *root) {
    ArrayVec out = {0};
    node_each(n, root)
        if (n->kind == N_STMT && !has_array(&out, n->stmt->lhs)) vec_push(a, &out, n->stmt->lhs);
    return out;
}

static bool is_varying(const Expr *x) {
    return x->kind == E_LOAD || (x->kind == E_SYM && x->sym->kind == SYM_ITER);
}
bool expr_varies(const Expr *x) { return expr_any(x, is_varying); }

int expr_size(const Expr *x) {
    int n = 0;
    expr_each(y, x) n++;
    return n;
}

bool is_temporary(const Array *v) {
    return v->place == PLACE_LOCAL || (v->place == PLACE_USER && !v->live_out);
}

bool is_literal_int(const Expr *x, int64_t *v) {
    if (!x || x->kind != E_INT) return false;
    *v = x->i;
    return true;
}
