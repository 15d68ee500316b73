// SPDX-License-Identifier: MIT
// chunks_find.c -- which scalars a loop hands on by sums of products (chunks.c), and what they are made of.
#include "front/chunks.h"

int chunks_carrier(const Chunks *k, const Array *v) {
    for (int i = 0; i < k->carriers.n; i++)
        if (k->carriers.at[i] == v) return i;
    return -1;
}

bool chunks_hang(const Chunks *k, const Expr *x) {
    expr_each(y, x)
        if (y->kind == E_LOAD && chunks_carrier(k, y->array) >= 0) return true;
    return false;
}

static bool declares(const Node *root, const Array *v) {
    node_each(n, root)
        for (int i = 0; n->kind == N_SEQ && i < n->nlocals; i++)
            if (n->locals[i] == v) return true;
    return false;
}

// ---- what is handed on ------------------------------------------------------------------------------------
void chunks_need(Chunks *k, const Array *v) {
    if (!has_array(&k->needed, v)) vec_push(k->a, &k->needed, v);
}

// Of the program's arrays each iteration reads its own elements, as they were before the loop.
static void need_reads(Chunks *k, const Expr *root) {
    expr_each(x, root) {
        if (x->kind != E_LOAD || !node_writes(k->loop->body, x->array)) continue;
        if (!x->array->rank || declares(k->loop->body, x->array)) chunks_need(k, x->array);
    }
}

// Is something below needed? Then what decides whether it runs is, too.
static bool see_needs(Chunks *k, Node *n) {
    bool any = false;
    if (n->kind == N_STMT) {
        any = has_array(&k->needed, n->stmt->lhs);
        if (!any) return false;
        node_each_expr(x, n) need_reads(k, x);
        return true;
    }
    for (int i = 0; node_kid(n, i); i++) any |= see_needs(k, node_kid(n, i));
    if (any && n->kind == N_IF) need_reads(k, n->cond);
    if (any && n->kind == N_FOR) need_reads(k, n->lo), need_reads(k, n->hi);
    return any;
}

static void see_carriers(Chunks *k) {
    node_each(n, k->loop->body) {
        const Array *v = n->kind == N_STMT ? n->stmt->lhs : NULL;
        if (v && chunks_carrier(k, v) < 0 && has_array(&k->needed, v) && chunks_hang(k, n->stmt->rhs))
            vec_push(k->a, &k->carriers, v);
    }
}

static void see_sources(Chunks *k, const Stmt *s) {
    int to = chunks_carrier(k, s->lhs);
    expr_each(x, stmt_value(k->a, s)) {
        int from = x->kind == E_LOAD ? chunks_carrier(k, x->array) : -1;
        for (int i = 0; from >= 0 && i < k->nstates; i++) k->from[i][to] |= k->from[i][from];
    }
}

bool chunks_find(Chunks *k) {
    ArrayVec written = node_written(k->a, k->loop->body);
    for (int i = 0; i < written.n; i++) {
        const Array *v = written.at[i];
        if (v->rank) k->writes |= !declares(k->loop->body, v);
        else if (!declares(k->loop->body, v)) vec_push(k->a, &k->carriers, v), chunks_need(k, v);
    }
    k->nstates = k->carriers.n;
    if (!k->nstates || k->nstates > MOST_STATES) return false;
    for (int before = -1; before != k->needed.n;) before = k->needed.n, see_needs(k, k->loop->body);
    for (int before = -1; before != k->carriers.n;) before = k->carriers.n, see_carriers(k);
    if (k->carriers.n > MOST_CARRIERS) return false;
    for (int i = 0; i < k->carriers.n; i++)
        if (k->carriers.at[i]->rank || !chunks_take(k->carriers.at[i]->elem)) return false;
    for (int i = 0; i < k->nstates; i++) k->from[i][i] = true;
    for (int round = 0; round < k->carriers.n + 1; round++)
        node_each(n, k->loop->body)
            if (n->kind == N_STMT && chunks_carrier(k, n->stmt->lhs) >= 0) see_sources(k, n->stmt);
    return true;
}

// Iterations have nothing else in common, and each is short.
bool chunks_stand_alone(const Chunks *k) {
    ArrayVec written = node_written(k->a, k->loop->body);
    node_each(n, k->loop->body) {
        if (n->kind == N_BARRIER || (n->kind == N_STMT && n->stmt->atomic)) return false;
        if (n->kind != N_FOR) continue;
        int64_t trips = loop_literal_trips(n->lo, n->hi, n->step);
        if (trips < 0 || trips > SHORT || loop_while(n)) return false;
    }
    for (int i = 0; i < written.n; i++) {
        const Array *x = written.at[i];
        if (chunks_carrier(k, x) >= 0 || declares(k->loop->body, x)) continue;
        if (!x->rank || !uses_own_elements(k->a, k->loop, x)) return false;
        node_each(n, k->loop->body)
            node_each_expr(e, n)
                if (e->kind == E_LOAD && e->array != x && arrays_may_overlap(e->array, x)) return false;
        for (int e = 0; e < i; e++)
            if (arrays_may_overlap(written.at[e], x)) return false;
    }
    return true;
}

// Does some iteration need a scalar of the one before, for more than a sum so far, which a scan of its own
// makes?
bool chunks_beyond_sums(const Chunks *k) {
    bool more[MOST_STATES] = {false};
    node_each(n, k->loop->body) {
        int c = n->kind == N_STMT ? chunks_carrier(k, n->stmt->lhs) : -1;
        if (c >= 0 && c < k->nstates) more[c] |= n->stmt->op == OP_SET || chunks_hang(k, n->stmt->rhs);
    }
    for (int i = 0; i < k->nstates; i++)
        if (more[i] && node_exposed(k->a, k->loop->body, k->carriers.at[i])) return true;
    return false;
}

static bool has_choice(const Expr *x) { return x->kind == E_OP && x->op == OP_SELECT; }

void chunks_see_choices(Chunks *k, const Node *n, bool under) {
    if (n->kind == N_STMT && chunks_carrier(k, n->stmt->lhs) >= 0)
        k->chooses |= under || expr_any(n->stmt->rhs, has_choice);
    for (int i = 0; node_kid(n, i); i++) chunks_see_choices(k, node_kid(n, i), under || n->kind == N_IF);
}

// ---- choices -------------------------------------------------------------------------------------------
// The statements of an arm, each of which sets a scalar that is handed on; false: there is something else.
static bool sets_carriers(const Chunks *k, const Node *n) {
    bool all = !n || n->kind == N_STMT ? !n || chunks_carrier(k, n->stmt->lhs) >= 0
                                       : n->kind == N_SEQ && !n->nlocals;
    for (int i = 0; n && node_kid(n, i) && all; i++) all = sets_carriers(k, node_kid(n, i));
    return all;
}

static Node *chosen(Chunks *k, Expr *cond, const Node *arm, bool holds) {
    Node *all = NULL;
    for (int i = 0; arm->kind == N_SEQ && i < arm->nkids; i++)
        all = seq_join(k->a, all, chosen(k, cond, arm->kids[i], holds));
    if (arm->kind != N_STMT) return all;
    Stmt *s = NEW_AS(k->a, Stmt, *arm->stmt);
    Expr *was = expr_load(k->a, s->lhs, s->sub), *is = stmt_value(k->a, s);
    s->rhs = expr_op(k->a, OP_SELECT, cond, holds ? is : was, holds ? was : is);
    s->op = OP_SET, s->fused = false;
    return stmt_leaf(k->a, s);
}

// if (c) x = e;   →   x = c ? e : x;
static Node *without_arms(Rebuild *b, Node *n) {
    Chunks *k = b->self;
    if (n->kind != N_IF || chunks_hang(k, n->cond) || !sets_carriers(k, n->then) ||
        !sets_carriers(k, n->other))
        return n;
    Node *then = chosen(k, n->cond, n->then, true);
    return n->other ? seq_join(k->a, then, chosen(k, n->cond, n->other, false)) : then;
}

static bool may_read_early(const Early *e, const Expr *x) {
    const Array *v = x->array;
    if (v->place != PLACE_USER || !v->rank || node_writes(e->k->loop->body, v)) return false;
    for (int d = 0; d < v->rank; d++) {
        if (expr_has_load(x->args[d])) return false;
        expr_each(y, x->args[d])
            if (y->kind == E_SYM && y->sym->kind == SYM_ITER && y->sym != e->k->loop->iter) return false;
    }
    return true;
}

static Expr *early(Early *e, Expr *x) {
    if (!may_read_early(e, x)) return x;
    int at = 0;
    while (at < e->load.n && !expr_equal(e->load.at[at], x)) at++;
    if (at == e->load.n) {
        Array *t = array_new(e->k->a, name_new(e->k->m, x->array->name), x->array->elem, PLACE_LOCAL, 0);
        vec_push(e->k->a, &e->load, (const Expr *)x);
        vec_push(e->k->a, &e->local, (const Array *)t);
        vec_push(e->k->a, &e->set, chunks_set(e->k, t, x));
    }
    return expr_load(e->k->a, e->local.at[at], NULL);
}

static Expr *early_in(Expr *x, void *arg) {
    Early *e = arg;
    if (x->kind == E_LOAD && e->deep) return early(e, x);
    if (!has_choice(x)) return expr_map(e->k->a, x, early_in, e);
    if (!expr_has_load(x->args[0])) return x; // counters tell what is read
    Expr *cond = early_in(x->args[0], e);
    e->deep++;
    Expr *y = early_in(x->args[1], e), *z = early_in(x->args[2], e);
    e->deep--;
    return expr_op(e->k->a, OP_SELECT, cond, y, z);
}

static Stmt *read_early(Rebuild *b, Stmt *s) {
    Early *e = b->self;
    if (has_array(&e->k->needed, s->lhs)) s->rhs = early_in(s->rhs, e);
    return s;
}

Node *chunks_read_early(Early *e, const Node *body) {
    Rebuild arms = {.a = e->k->a, .node = without_arms, .self = e->k};
    Rebuild b = {.a = e->k->a, .stmt = read_early, .self = e};
    Node *n = rebuild_node(&b, rebuild_node(&arms, (Node *)body)), *first = NULL;
    for (int i = 0; i < e->set.n; i++) first = seq_join(e->k->a, first, e->set.at[i]);
    return seq_declare_all(e->k->a, seq_join(e->k->a, first, n), e->local.n, e->local.at);
}
