// SPDX-License-Identifier: MIT
// chunks_run.c -- the body of a linear recurrence (chunks.c) from zero, and from one without what data add.
#include "front/chunks.h"

Type chunks_type(Type t) {
    Type u = update_modular(OP_ADD, t);
    return u == T_NONE ? t : u;
}

bool chunks_take(Type t) { return (type_is_float(t) || type_is_int(t)) && type_size(t) >= 4; }

Expr *chunks_number(const Chunks *k, Type t, int v) {
    return type_is_float(t) ? expr_float(k->a, t, v) : expr_int(k->a, t, v);
}

// ---- a run of the body -----------------------------------------------------------------------------------
static int run_number(const Chunks *k) {
    return k->run == RUN_ZERO ? 0 : k->unit + (k->run == RUN_UNIT ? 1 : 1 + MOST_STATES);
}

const Array *chunks_copy(const Chunks *k, int c) { return k->copy[run_number(k)][c]; }

static Expr *no(Chunks *k) { return k->no = true, NULL; }

// x as the run has it; NULL: nothing, which is 0.
static Expr *through(Chunks *k, Expr *x);

static Expr *data(const Chunks *k, Expr *x) { return expr_cast(k->a, chunks_type(x->type), x); }

static Expr *negated(const Chunks *k, Expr *x) {
    return x && k->run != RUN_HANDS ? expr_op(k->a, OP_NEG, x, NULL, NULL) : x;
}

static Expr *both(Chunks *k, Op op, Expr *x, Expr *y) {
    if (!x && op == OP_SUB) return negated(k, y);
    if (!x || !y) return x ? x : y;
    return expr_op(k->a, k->run == RUN_HANDS ? OP_OR : op, x, y, NULL);
}

// x times what data say
static Expr *times(Chunks *k, Op op, Expr *x, Expr *by) {
    Expr *run = through(k, x);
    if (!run || k->run == RUN_HANDS) return run;
    return expr_op(k->a, op, run, op == OP_SHL ? by : data(k, by), NULL);
}

static Expr *product(Chunks *k, Expr *x, Expr *y) {
    bool left = chunks_hang(k, x);
    if (left && chunks_hang(k, y)) return no(k);
    return left ? times(k, OP_MUL, x, y) : times(k, OP_MUL, y, x);
}

static Expr *operation(Chunks *k, Expr *x) {
    Expr *const *arg = x->args;
    switch (x->op) {
    case OP_ADD:
    case OP_SUB: {
        Expr *l = through(k, arg[0]), *r = through(k, arg[1]);
        return both(k, x->op, l, r);
    }
    case OP_NEG: return negated(k, through(k, arg[0]));
    case OP_MUL: return product(k, arg[0], arg[1]);
    case OP_FMA: {
        Expr *l = chunks_hang(k, arg[0]) || chunks_hang(k, arg[1]) ? product(k, arg[0], arg[1]) : NULL;
        Expr *r = through(k, arg[2]);
        if (k->run == RUN_ZERO && !l) l = expr_op(k->a, OP_MUL, arg[0], arg[1], NULL);
        return both(k, OP_ADD, l, r);
    }
    case OP_DIV:
        if (!type_is_float(x->type) || chunks_hang(k, arg[1])) return no(k);
        return times(k, OP_DIV, arg[0], arg[1]);
    case OP_SHL: return chunks_hang(k, arg[1]) ? no(k) : times(k, OP_SHL, arg[0], arg[1]);
    case OP_SELECT: {
        if (chunks_hang(k, arg[0])) return no(k);
        Type t = k->run == RUN_HANDS ? T_I32 : chunks_type(x->type);
        Expr *y = through(k, arg[1]), *z = through(k, arg[2]);
        if (!y && !z) return NULL;
        return expr_op(k->a, OP_SELECT, arg[0], y ? y : chunks_number(k, t, 0),
                       z ? z : chunks_number(k, t, 0));
    }
    default: return no(k);
    }
}

static Expr *through(Chunks *k, Expr *x) {
    if (k->no) return NULL;
    if (!chunks_hang(k, x)) return k->run == RUN_ZERO ? data(k, x) : NULL;
    if (x->kind == E_LOAD && chunks_carrier(k, x->array) >= 0) {
        const Array *copy = chunks_copy(k, chunks_carrier(k, x->array));
        return copy ? expr_load(k->a, copy, NULL) : NULL;
    }
    if (x->kind == E_CAST) { // of whole numbers what is cut off changes nothing of the rest
        Type from = x->args[0]->type, to = x->type;
        bool fits = type_is_int(from) && type_is_int(to) && chunks_take(from) && chunks_take(to) &&
                    type_size(to) <= type_size(from);
        if (!fits && from != to) return no(k);
        Expr *y = through(k, x->args[0]);
        return y && k->run != RUN_HANDS ? expr_cast(k->a, chunks_type(to), y) : y;
    }
    return x->kind == E_OP ? operation(k, x) : no(k);
}

Node *chunks_set(const Chunks *k, const Array *to, Expr *x) {
    Stmt s = {.loc = k->loop->loc, .lhs = to, .op = OP_SET, .rhs = expr_cast(k->a, to->elem, x)};
    return stmt_leaf(k->a, NEW_AS(k->a, Stmt, s));
}

// Runs of what is handed on are there only where conditions choose.
bool chunks_next_run(Chunks *k) {
    if (k->run == RUN_ZERO) return k->run = RUN_UNIT, k->unit = 0, true;
    if (++k->unit < k->nstates) return true;
    k->unit = 0;
    return k->run == RUN_UNIT && k->chooses ? (k->run = RUN_HANDS, true) : false;
}

void chunks_first_run(Chunks *k) { k->run = RUN_ZERO, k->unit = 0; }

void chunks_make_copies(Chunks *k) {
    chunks_first_run(k);
    do {
        for (int c = 0; c < k->carriers.n; c++) {
            const Array *v = k->carriers.at[c];
            bool is = k->run == RUN_ZERO || k->from[k->unit][c];
            if (k->run == RUN_HANDS && !type_is_float(v->elem)) is = false;
            Array *x = is ? (Array *)local_copy(k->m, v) : NULL;
            if (x) x->elem = k->run == RUN_HANDS ? T_I32 : chunks_type(v->elem);
            if (x) x->stride = type_size(x->elem);
            k->copy[run_number(k)][c] = x;
        }
    } while (chunks_next_run(k));
}

static Node *run_statement(Chunks *k, const Stmt *s) {
    int c = chunks_carrier(k, s->lhs);
    Node *all = NULL;
    Expr *x = stmt_value(k->a, s);
    chunks_first_run(k);
    do {
        const Array *to = chunks_copy(k, c);
        Expr *y = to ? through(k, x) : NULL;
        if (to) all = seq_join(k->a, all, chunks_set(k, to, y ? y : chunks_number(k, to->elem, 0)));
    } while (chunks_next_run(k));
    return all;
}

static bool reads_stored(const Chunks *k, Node *n) {
    node_each_expr(x, n)
        for (int i = 0; x->kind == E_LOAD && i < k->stored.n; i++)
            if (arrays_may_overlap(x->array, k->stored.at[i])) return true;
    return false;
}

static void store(Chunks *k, const Node *root) {
    node_each(n, root)
        if (n->kind == N_STMT && !has_array(&k->needed, n->stmt->lhs))
            vec_push(k->a, &k->stored, n->stmt->lhs);
}

// The runs of what stands in n; NULL: it leads to none of the scalars.
Node *chunks_runs_of(Chunks *k, Node *n) {
    if (n->kind == N_STMT) {
        if (!has_array(&k->needed, n->stmt->lhs)) return store(k, n), NULL;
        k->no |= reads_stored(k, n);
        return chunks_carrier(k, n->stmt->lhs) < 0 ? n : run_statement(k, n->stmt);
    }
    if (n->kind == N_FOR) store(k, n->body);
    Node *m = node_clone(k->a, n);
    if (n->kind == N_SEQ) {
        Node *all = NULL;
        for (int i = 0; i < n->nkids; i++) all = seq_join(k->a, all, chunks_runs_of(k, n->kids[i]));
        if (!all) return NULL;
        for (int i = 0; i < n->nlocals; i++) {
            int c = chunks_carrier(k, n->locals[i]);
            if (c < 0) all = seq_declare(k->a, all, n->locals[i]);
            for (int run = 0; c >= 0 && run < MOST_RUNS; run++)
                if (k->copy[run][c]) all = seq_declare(k->a, all, k->copy[run][c]);
        }
        return all;
    }
    if (n->kind == N_FOR) {
        m->body = chunks_runs_of(k, n->body);
        k->no |= m->body && (chunks_hang(k, n->lo) || chunks_hang(k, n->hi));
        return m->body ? m : NULL;
    }
    m->then = chunks_runs_of(k, n->then);
    m->other = n->other ? chunks_runs_of(k, n->other) : NULL;
    if (!m->then && !m->other) return NULL;
    k->no |= chunks_hang(k, n->cond) || reads_stored(k, m);
    if (!m->then) m->then = node_seq(k->a, 0, NULL);
    return m;
}
