// SPDX-License-Identifier: MIT
// scan.c -- questions about trees: who reads what, who writes what.
#include "front/normal.h"

bool expr_reads(const Expr *x, const Array *v) {
    if (!x) return false;
    if (x->kind == E_LOAD && x->array == v) return true;
    for (int k = 0; k < x->nargs; k++)
        if (expr_reads(x->args[k], v)) return true;
    return false;
}

bool expr_reads_data(const Expr *x) {
    if (x->kind == E_LOAD && !x->array->nvalues) return true;
    for (int k = 0; k < x->nargs; k++)
        if (expr_reads_data(x->args[k])) return true;
    return false;
}

bool expr_may_read(const Expr *x, const Array *v) {
    if (x->kind == E_LOAD && arrays_may_overlap(x->array, v)) return true;
    for (int k = 0; k < x->nargs; k++)
        if (expr_may_read(x->args[k], v)) return true;
    return false;
}

bool stmt_reads(const Stmt *s, const Array *v) {
    for (int k = 0; k < s->lhs->rank; k++)
        if (expr_reads(s->sub[k], v)) return true;
    return expr_reads(s->rhs, v);
}

bool node_reads(Node *n, const Array *v) {
    if (!n) return false;
    switch (n->kind) {
    case N_SEQ:
        for (int k = 0; k < n->nkids; k++)
            if (node_reads(n->kids[k], v)) return true;
        return false;
    case N_FOR: return expr_reads(n->lo, v) || expr_reads(n->hi, v) || node_reads(n->body, v);
    case N_IF: return expr_reads(n->cond, v) || node_reads(n->then, v) || node_reads(n->other, v);
    case N_STMT: return stmt_reads(n->stmt, v);
    default: return false;
    }
}

static bool only_sets(Node *n, const Array *v) {
    if (!n) return true;
    bool all = n->kind == N_SEQ || (n->kind == N_STMT && n->stmt->lhs == v);
    for (int k = 0; n->kind == N_SEQ && k < n->nkids; k++) all = all && only_sets(n->kids[k], v);
    return all;
}

bool node_needs(Node *n, const Array *v) {
    if (!n) return false;
    switch (n->kind) {
    case N_SEQ:
        for (int k = 0; k < n->nkids; k++)
            if (node_needs(n->kids[k], v)) return true;
        return false;
    case N_FOR: return expr_reads(n->lo, v) || expr_reads(n->hi, v) || node_needs(n->body, v);
    case N_IF:
        if (expr_reads(n->cond, v) && !(only_sets(n->then, v) && only_sets(n->other, v))) return true;
        return node_needs(n->then, v) || node_needs(n->other, v);
    case N_STMT: return n->stmt->lhs != v && stmt_reads(n->stmt, v);
    default: return false;
    }
}

bool node_writes(Node *n, const Array *v) {
    if (!n) return false;
    switch (n->kind) {
    case N_SEQ:
        for (int k = 0; k < n->nkids; k++)
            if (node_writes(n->kids[k], v)) return true;
        return false;
    case N_FOR: return node_writes(n->body, v);
    case N_IF: return node_writes(n->then, v) || node_writes(n->other, v);
    case N_STMT: return n->stmt->lhs == v;
    default: return false;
    }
}

bool node_uses(Node *n, const Array *v) { return node_reads(n, v) || node_writes(n, v); }

bool has_array(const ArrayVec *v, const Array *x) {
    for (int k = 0; k < v->n; k++)
        if (v->at[k] == x) return true;
    return false;
}

void node_written(Arena *a, Node *n, ArrayVec *out) {
    if (!n) return;
    if (n->kind == N_STMT) {
        if (!has_array(out, n->stmt->lhs)) vec_push(a, out, n->stmt->lhs);
        return;
    }
    for (int k = 0; n->kind == N_SEQ && k < n->nkids; k++) node_written(a, n->kids[k], out);
    if (n->kind == N_FOR) node_written(a, n->body, out);
    if (n->kind == N_IF) {
        node_written(a, n->then, out);
        node_written(a, n->other, out);
    }
}

bool expr_varies(const Expr *x) {
    if (!x) return false;
    if (x->kind == E_LOAD || (x->kind == E_SYM && x->sym->kind == SYM_ITER)) return true;
    for (int k = 0; k < x->nargs; k++)
        if (expr_varies(x->args[k])) return true;
    return false;
}

int expr_size(const Expr *x) {
    int n = 1;
    for (int k = 0; k < x->nargs; k++) n += expr_size(x->args[k]);
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
